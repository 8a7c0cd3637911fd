import { formatByName } from '../core/formats/index.ts';
import { scanRequest } from '../core/formats/json-scan.ts';
import type { RequestScan } from '../core/wire-format.ts';
import { createArrival } from './arrival.ts';
import { clientFacts } from './client.ts';
import { viaOf } from './door.ts';
import type { Admission, DoorParts } from './door.ts';
import type { ExchangePath } from './paths.ts';
import { readBody } from './read-body.ts';
import type { BodyReading } from './read-body.ts';
import { createReply } from './reply.ts';
import { refuseVisit } from './visit.ts';
import type { Visit, VisitRefusal } from './visit.ts';

const BYTES_PER_MIB = 1_048_576;

/** Reads the body, makes the arrival and hands it to the loop (SPEC 1.6, 3). */
export async function startExchange(parts: DoorParts, visit: Visit, path: ExchangePath, admission: Admission): Promise<void> {
  const { request, response, clock } = visit;
  const settings = parts.config.settings();
  if (hasBody(visit) && !isJson(request.headers['content-type'])) {
    return refuseVisit(visit, { status: 415, code: 'request.not_json', message: 'The body must be JSON: content-type application/json.' });
  }
  const maxMib = settings['gateway.max_body_mb'];
  const reading = await readBody(request, response, maxMib * BYTES_PER_MIB, clock);
  if (reading.kind === 'left') return;
  if (reading.kind !== 'body') return refuseVisit(visit, refusalOf(reading, maxMib), [], 'unread' in reading && reading.unread);
  const { bytes } = reading;
  // Only forwarded requests may come without a body.
  const scan = bytes.length === 0 && path.operation === 'forward' ? null : scanRequest(bytes);
  if (scan !== null && 'fault' in scan) return refuseVisit(visit, { status: 400, code: 'request.invalid_json', message: `The body is not valid JSON: ${scan.fault}.` });
  await run(parts, visit, path, admission, bytes, scan);
}

async function run(parts: DoorParts, visit: Visit, path: ExchangePath, admission: Admission, bytes: Buffer, scan: RequestScan | null): Promise<void> {
  const { request, response, clock, headers } = visit;
  const client = clientFacts(request.headers);
  const arrival = createArrival({
    id: visit.id, atMs: visit.atMs, atUtcMs: visit.atUtcMs, request, path, query: admission.target.query,
    keyName: admission.keyName, own: admission.own, client, via: viaOf(request), bytes, scan,
  });
  const keepAliveMs = parts.config.settings()['gateway.keepalive_secs'] * 1_000;
  const sight = parts.sights?.begin(arrival, request.rawHeaders) ?? null;
  const reply = createReply({ request, response, arrival, format: formatByName(path.format), codex: client.codex, clock, keepAliveMs, headers, sight });
  try {
    await parts.exchanges.run(arrival, reply, admission.revoked);
    if (reply.open()) throw new Error('the exchange ended without an answer');
  } catch (bug) {
    parts.log.error('exchange failed inside the gateway', { id: visit.id, error: bug instanceof Error ? bug.stack : String(bug) });
    if (reply.open()) {
      const refusal = { kind: 'own', status: 500, code: 'gateway.internal', message: 'The gateway failed on this request; its log says why.', retryAfterSecs: null } as const;
      await reply.refuse(refusal, { requestId: visit.id, upstreamName: null, retries: 0, stopClientRetries: false });
    }
  } finally {
    reply.release();
    parts.sights?.end(visit.id);
  }
}

function hasBody({ request }: Visit): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function isJson(contentType: string | undefined): boolean {
  return /^\s*application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)\s*(?:;|$)/i.test(contentType ?? '');
}

function refusalOf(reading: Exclude<BodyReading, { kind: 'body' | 'left' }>, maxMib: number): VisitRefusal {
  switch (reading.kind) {
    case 'too_large': return { status: 413, code: 'request.too_large', message: `The body is larger than ${maxMib} MiB, the limit in the settings (gateway.max_body_mb).` };
    case 'slow': return { status: 408, code: 'request.too_slow', message: 'The body did not arrive within 300 seconds.' };
    case 'encoding_unknown': return { status: 415, code: 'request.encoding_unknown', message: `Bodies with content-encoding "${reading.encoding}" cannot be read; possible are gzip, deflate, br and zstd.` };
    case 'encoding_broken': return { status: 400, code: 'request.encoding_broken', message: `The body is not valid ${reading.encoding}.` };
  }
}
