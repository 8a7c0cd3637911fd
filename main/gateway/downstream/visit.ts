import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FormatName } from '../../../shared/format.ts';
import { formatByName } from '../core/formats/index.ts';
import type { Framing } from '../core/wire-format.ts';
import type { Clock } from '../ports.ts';
import { discardBody } from './read-body.ts';
import { spoken } from './refusal.ts';
import { flat } from './reply-head.ts';
import type { HeaderList } from './reply-head.ts';

/** One HTTP request before it is an exchange, and the way to answer it without one. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** UUID v7, also the id of the exchange if there will be one. */
  readonly id: string;
  readonly atMs: number;
  readonly atUtcMs: number;
  /** Format of errors (SPEC 1.3). */
  readonly format: FormatName;
  /** Framing of a Gemini stream, whose errors are wrapped when it is an array; null else. */
  readonly framing: Framing | null;
  /** Without key and credentials. */
  readonly path: string;
  /** Headers of every head, for listed origins. */
  headers: HeaderList;
  /** Told of each refusal, for the log. */
  readonly refused: (refusal: VisitRefusal) => void;
}

/** Why a request was turned away at the door. */
export interface VisitRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** What a listener for refusals gets; there is no exchange for these. */
export interface RefusedRequest extends VisitRefusal {
  readonly id: string;
  readonly atUtcMs: number;
  readonly format: FormatName;
  readonly path: string;
  readonly client: string | null;
}

/** Answers with an error in the client's format. The body is read first, so that closing does not lose the answer; if some stays unread the connection closes. */
export async function refuseVisit(visit: Visit, refusal: VisitRefusal, headers: HeaderList = [], unread?: boolean): Promise<void> {
  const { request, clock } = visit;
  visit.refused(refusal);
  const closes = unread ?? !(await discardBody(request, clock));
  const error = { status: refusal.status, code: refusal.code, type: null, message: spoken(refusal.message), requestId: visit.id };
  const body = formatByName(visit.format).writeError(error, visit.framing);
  answerVisit(visit, refusal.status, [['content-type', 'application/json'], ...headers, ...(closes ? [['connection', 'close'] as const] : [])], body);
}

/** Answers with these bytes. */
export function answerVisit(visit: Visit, status: number, headers: HeaderList, body: Uint8Array): void {
  const { response } = visit;
  if (response.headersSent || response.destroyed) return;
  const length: HeaderList = status === 204 ? [] : [['content-length', String(body.byteLength)]];
  response.on('error', () => undefined);
  response.writeHead(status, flat([...headers, ...length, ['x-holdfast-request-id', visit.id], ...visit.headers]));
  response.end(body);
}

/** Answers with JSON. */
export function answerJson(visit: Visit, value: unknown): void {
  answerVisit(visit, 200, [['content-type', 'application/json']], Buffer.from(JSON.stringify(value)));
}
