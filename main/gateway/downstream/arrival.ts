import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { maskSecrets } from '../../../shared/mask.ts';
import { conversationStart } from '../core/formats/conversation.ts';
import { formatByName } from '../core/formats/index.ts';
import type { RequestScan } from '../core/wire-format.ts';
import type { Arrival } from '../ports.ts';
import type { ClientFacts } from './client.ts';
import type { ExchangePath } from './paths.ts';
import type { PresentedKey } from './presented-keys.ts';
import { headersWithCredential, upstreamHeaders } from './request-headers.ts';
import { loggedPath, queryValue } from './request-target.ts';

/** What was found out about a request before it becomes an arrival. */
export interface ArrivalParts {
  readonly id: string;
  readonly atMs: number;
  readonly atUtcMs: number;
  readonly request: IncomingMessage;
  readonly path: ExchangePath;
  readonly query: string;
  readonly keyName: string | null;
  readonly own: readonly PresentedKey[];
  readonly client: ClientFacts;
  /** The gateways that it has passed. */
  readonly via: string | null;
  readonly bytes: Buffer;
  /** null: the request has no body. */
  readonly scan: RequestScan | null;
}

// Most sessions are UUIDs; some clients send their key there, and the log shows the session.
const LONGEST_UNSEARCHED = 36;

/** Makes the loop's view of a request. */
export function createArrival(parts: ArrivalParts): Arrival {
  const { path, query, bytes, scan, request } = parts;
  const model = path.model?.name ?? scan?.model ?? null;
  const sessionId = parts.client.sessionId ?? scan?.cacheKey?.slice(0, 256) ?? null;
  const suffix = query === '' ? '' : `?${query}`;
  return {
    id: parts.id,
    atMs: parts.atMs,
    atUtcMs: parts.atUtcMs,
    format: path.format,
    operation: path.operation,
    method: request.method ?? 'GET',
    path: loggedPath(pathFor(path, null), query),
    model,
    streamed: path.streamed ?? (scan?.stream === true || (bytes.length === 0 && queryValue(query, 'stream') === 'true')),
    framing: path.framing,
    headers: upstreamHeaders(path.format, request.headers),
    // Few upstreams want them.
    get clientHeaders() { return headersWithCredential(request.headers, parts.own); },
    target: (wanted) => pathFor(path, wanted === model ? null : wanted) + suffix,
    body: (wanted) => (wanted === null || wanted === model ? [bytes] : withModel(bytes, path.model === null ? scan : null, wanted)),
    bodyBytes: bytes.length,
    via: parts.via,
    fingerprint: () => createHash('sha256').update(bytes).digest('base64'),
    keyName: parts.keyName,
    client: parts.client.name,
    sessionId: sessionId !== null && sessionId.length > LONGEST_UNSEARCHED ? maskSecrets(sessionId, [], { cut: true }) : sessionId,
    clientRetry: parts.client.retry,
    conversation: () => sessionId ?? (scan === null ? null : hashOf(conversationStart(path.format, bytes))),
    seal: () => (scan === null ? null : formatByName(path.format).lastSeal(bytes)),
  };
}

function hashOf(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('base64url');
}

function pathFor(path: ExchangePath, model: string | null): string {
  if (path.model === null) return path.before;
  return path.before + (model === null ? path.model.raw : encodeURIComponent(model)) + path.after;
}

// Only the model's string is another one; the bytes around it stay the same, or prompt caches miss.
function withModel(bytes: Buffer, scan: RequestScan | null, model: string): readonly Uint8Array[] {
  const span = scan?.modelSpan ?? null;
  if (span === null) return [bytes];
  return [bytes.subarray(0, span.startByte), Buffer.from(JSON.stringify(model)), bytes.subarray(span.endByte)];
}
