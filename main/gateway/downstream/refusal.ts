import { maskSecrets } from '../../../shared/mask.ts';
import type { UpstreamFailure } from '../../../shared/failure.ts';
import type { Framing, OwnError, StreamPosition, WireFormat } from '../core/wire-format.ts';
import type { KeptAnswer, Refusal } from '../ports.ts';
import { without } from './reply-head.ts';
import type { HeaderList } from './reply-head.ts';

/** What is known of the request that is refused. */
export interface RefusalContext {
  readonly format: WireFormat;
  readonly framing: Framing;
  readonly streamed: boolean;
  readonly requestId: string;
  readonly model: string | null;
  /** For Responses. */
  readonly createdSecs: number;
}

/** An answer with its own head. `events`: a stream of the upstream, which ends with its error event. */
export interface RefusalAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  readonly events: boolean;
}

type UpstreamRefusal = Extract<Refusal, { kind: 'upstream' }>;

// They describe a body that is not sent.
const OF_THE_BODY = ['content-length', 'content-type', 'content-encoding', 'content-language', 'etag', 'last-modified', 'location'];
const QUOTED_CHARACTERS = 200;

/** What goes out when no head has gone yet (SPEC 10.1). */
export function refusalAnswer(refusal: Refusal, context: RefusalContext): RefusalAnswer {
  const unchanged = refusal.kind === 'upstream' ? unchangedAnswer(refusal, context) : null;
  if (unchanged !== null) return unchanged;
  const error = ownError(refusal, context);
  const kept = refusal.kind === 'upstream' && refusal.failure.class !== 'invalid' && refusal.kept?.kind === 'http' ? refusal.kept.headers : [];
  const retryAfter: HeaderList = refusal.kind === 'own' && refusal.retryAfterSecs !== null ? [['retry-after', String(refusal.retryAfterSecs)]] : [];
  return {
    status: error.status,
    headers: [...without(kept, OF_THE_BODY), ['content-type', 'application/json'], ...retryAfter],
    body: context.format.writeError(error, context.streamed ? context.framing : null),
    events: false,
  };
}

/** What goes out after an early head (SPEC 10.2): held bytes with their error event, or one error event. */
export function refusalEvents(refusal: Refusal, context: RefusalContext): Uint8Array {
  const start: StreamPosition = { events: 0, sequence: null, responseId: null, model: context.model };
  const write = (error: OwnError, at: StreamPosition) => context.format.writeErrorEvent(error, context.framing, at, context.createdSecs);
  const kept = refusal.kind === 'upstream' ? refusal.kept : null;
  if (kept?.kind === 'stream' && kept.wellFormed) {
    const held = readHeld(kept, context);
    return held.error ? kept.body : joined([kept.body, write(ownError(refusal, context), held.position)]);
  }
  if (refusal.kind === 'upstream' && kept?.kind === 'http' && kept.wellFormed && refusal.failure.class !== 'invalid') {
    const { failure } = refusal;
    return write({ status: statusOf(failure, kept), code: failure.code, type: failure.type, message: failure.message, requestId: context.requestId }, start);
  }
  return write(ownError(refusal, context), start);
}

// The upstream's own words, where they are an answer that this client's program can read.
function unchangedAnswer(refusal: UpstreamRefusal, context: RefusalContext): RefusalAnswer | null {
  const { kept, failure } = refusal;
  if (kept === null || !kept.wellFormed || kept.cut || failure.class === 'invalid' || kept.body.length === 0) return null;
  if (kept.kind === 'http') return { status: statusOf(failure, kept), headers: without(kept.headers, ['content-length']), body: kept.body, events: false };
  // A stream that broke off without a word of its own is no answer: a real status tells the client more.
  if (!readHeld(kept, context).error) return null;
  const body = context.framing === 'json_array' ? closedArray(kept.body) : kept.body;
  return { status: kept.status, headers: without(kept.headers, ['content-length']), body, events: true };
}

function readHeld(kept: KeptAnswer, context: RefusalContext): { error: boolean; position: StreamPosition } {
  const reader = context.format.reader(context.framing);
  const events = [...reader.push(kept.body), ...reader.finish()];
  return { error: events.some((event) => event.label === 'error'), position: reader.position() };
}

/** The failure or refusal in the gateway's words (SPEC 10.4). */
function ownError(refusal: Refusal, context: RefusalContext): OwnError {
  if (refusal.kind === 'own') return { status: refusal.status, code: refusal.code, type: null, message: spoken(refusal.message), requestId: context.requestId };
  const { failure, kept, upstreamName, chain } = refusal;
  const what = `${upstreamName}${whatHappened(failure, kept)}`;
  const message = spoken(chain === null ? what : `${what}${/[.!?]\s*$/.test(what) ? '' : '.'} Tried: ${chain}.`);
  return { status: statusOf(failure, kept), code: failure.code, type: null, message, requestId: context.requestId };
}

function whatHappened(failure: UpstreamFailure, kept: KeptAnswer | null): string {
  const quote = kept?.kind === 'http' ? quoted(kept.body) : '';
  if (quote === '') return `: ${failure.message === '' ? failure.code : failure.message}`;
  return failure.class === 'invalid' ? ` sent something that is no answer: "${quote}"` : ` answered ${kept?.status ?? 0}: "${quote}"`;
}

/** The message with the mark that the gateway speaks, on one line. */
export function spoken(message: string): string {
  const line = message.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.startsWith('[Holdfast] ') ? line : `[Holdfast] ${line}`;
}

function quoted(body: Uint8Array): string {
  // Four bytes are the longest character; blanks shrink.
  const text = new TextDecoder().decode(body.subarray(0, QUOTED_CHARACTERS * 16)).replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const shown = Array.from(text).slice(0, QUOTED_CHARACTERS).join('');
  return maskSecrets(shown, [], { cut: shown.length < text.length });
}

function statusOf(failure: UpstreamFailure, kept: KeptAnswer | null): number {
  if (failure.class === 'invalid') return 502;
  if (kept?.kind === 'http' && kept.status >= 400) return kept.status;
  if (failure.class === 'timeout') return 504;
  return failure.status !== null && failure.status >= 400 ? failure.status : 502;
}

/** A JSON array with its end, which an upstream that stops at its error may owe. */
export function closedArray(body: Uint8Array): Uint8Array {
  const last = body.findLast((byte) => byte > 0x20);
  return last === 0x5d ? body : joined([body, new TextEncoder().encode(']')]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
