import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WireFormat } from '../core/wire-format.ts';
import type { AnswerSight, Arrival, Clock, Ending, Opened, Relayed, Reply, ReplyNotes, Refusal, SentEnding, Sink } from '../ports.ts';
import { watchClient } from './client-watch.ts';
import type { ClientWatch } from './client-watch.ts';
import { createOutgoing } from './outgoing.ts';
import type { Outgoing } from './outgoing.ts';
import { closedArray, refusalAnswer, refusalEvents, spoken } from './refusal.ts';
import type { RefusalContext } from './refusal.ts';
import { hasHeader, noteHeaders, streamHeaders, without } from './reply-head.ts';
import type { HeaderList } from './reply-head.ts';

export interface ReplyParts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly arrival: Arrival;
  readonly format: WireFormat;
  readonly codex: boolean;
  readonly clock: Clock;
  readonly keepAliveMs: number;
  /** Headers of every head, for listed origins. */
  readonly headers: HeaderList;
  /** Notes what goes out, for the log; null when nobody looks. */
  readonly sight: AnswerSight | null;
}

/** A reply with its last word: after the loop has returned nothing of it may stay behind. */
export interface OwnedReply extends Reply {
  /** True when the client is there and nothing has been sent to it. */
  open(): boolean;
  release(): void;
}

// What the client got when it left (SPEC 12.1).
const CLIENT_LEFT = 499;
const NOTHING_FOLLOWS = { boundary: true, content: true, terminal: true } as const;

/** Makes the way back to the client; keep-alives start by themselves (SPEC 6.2). */
export function createReply(parts: ReplyParts): OwnedReply {
  const { response, arrival, clock } = parts;
  const watch = watchClient(parts.request);
  const waiting = arrival.streamed && arrival.framing === 'sse' && arrival.operation === 'generate' ? { format: arrival.format, codex: parts.codex } : null;
  const out = createOutgoing({ response, gone: watch.gone, clock, waiting, keepAliveMs: parts.keepAliveMs, headers: parts.headers, requestId: arrival.id, sight: parts.sight });
  const context = ({ requestId }: ReplyNotes): RefusalContext => ({
    format: parts.format, framing: arrival.framing, streamed: arrival.streamed, requestId, model: arrival.model,
    createdSecs: Math.floor(clock.utc() / 1_000),
  });
  return {
    gone: watch.gone,
    send: (opened, notes) => send(parts, out, watch, opened, notes, context(notes)),
    refuse: (refusal, notes) => refuse(parts, out, watch, refusal, notes, context(notes)),
    open: () => !response.headersSent && !watch.gone.aborted,
    release: () => {
      out.quiet();
      watch.release();
      // An exchange that ended without an answer leaves a connection that is of no more use.
      if (!response.writableFinished) parts.request.socket.destroy();
    },
  };
}

async function send(parts: ReplyParts, out: Outgoing, watch: ClientWatch, opened: Opened, notes: ReplyNotes, context: RefusalContext): Promise<SentEnding> {
  const late = out.headSent();
  if (late && !opened.stream) return sendWholeLate(parts, out, watch, opened, context);
  const status = late ? 200 : opened.status;
  if (!late) out.head(opened.status, headOf(opened, notes));
  const relaying = opened.relay(out);
  // Nothing is held: the head goes as the upstream's head came (SPEC 6.2).
  out.flush();
  const relayed = await relaying;
  out.quiet();
  await endAnswer(parts, out, watch, { opened, relayed, upstreamName: notes.upstreamName }, context);
  return { ...endingOf(out, watch, status), relayed };
}

function headOf(opened: Opened, notes: ReplyNotes): HeaderList {
  const length: HeaderList = !opened.stream && opened.whole !== null && !hasHeader(opened.headers, 'content-length') ? [['content-length', String(opened.whole.byteLength)]] : [];
  // Pings and error events may come between, so a stream's length is never known.
  const headers = opened.stream ? [...without(opened.headers, ['content-length']), ...streamHeaders(opened.headers)] : opened.headers;
  return [...headers, ...length, ...noteHeaders(notes, opened.headers)];
}

/** Ends what was relayed so that a cut answer never looks complete (SPEC 10.3). */
async function endAnswer(parts: ReplyParts, out: Outgoing, watch: ClientWatch, { opened, relayed, upstreamName }: Sent, context: RefusalContext): Promise<void> {
  const mark = out.mark();
  if (relayed.end === 'complete' || mark.terminal && relayed.end !== 'error_event') return out.end();
  if (relayed.end === 'error_event') {
    if (context.framing === 'json_array' && opened.stream) closeArray(out);
    return endFailed(parts, out, watch);
  }
  // Half an event is out, or half a body: nothing can be put behind it that would be read as an error.
  if (!opened.stream || !mark.boundary) return breakOff(parts, watch);
  const { failure } = relayed;
  const message = failure === null ? 'The gateway ended this answer: it stops, or the key was disabled.'
    : `${upstreamName ?? 'The upstream'} broke off in the middle of its answer: ${failure.message === '' ? failure.code : failure.message}`;
  const status = failure?.class === 'timeout' ? 504 : 502;
  const error = { status, code: failure?.code ?? 'gateway.ended', type: null, message: spoken(message), requestId: context.requestId };
  out.write(context.format.writeErrorEvent(error, context.framing, relayed.position, context.createdSecs), NOTHING_FOLLOWS);
  return endFailed(parts, out, watch);
}

interface Sent {
  readonly opened: Opened;
  readonly relayed: Relayed;
  readonly upstreamName: string | null;
}

// Without its end the answer cannot pass for a whole one. It is not the client that left, so nobody watches any more.
function breakOff(parts: ReplyParts, watch: ClientWatch): void {
  watch.release();
  // To HTTP/1.0 the end of the connection is the end of the body: only a reset tells it apart.
  if (parts.request.httpVersion === '1.0') parts.request.socket.resetAndDestroy();
  else parts.response.destroy();
}

function closeArray(out: Outgoing): void {
  const last = out.lastByte();
  if (last !== null && closedArray(Uint8Array.of(last)).length > 1) out.write(Uint8Array.of(0x5d), NOTHING_FOLLOWS);
}

// Codex remembers an error event, but reports it only when the connection ends.
async function endFailed(parts: ReplyParts, out: Outgoing, watch: ClientWatch): Promise<void> {
  await out.end();
  if (parts.arrival.format !== 'responses') return;
  watch.release();
  parts.request.socket.destroySoon();
}

// The client has been promised events and the answer is none: it hears of an error (SPEC 4.9).
async function sendWholeLate(parts: ReplyParts, out: Outgoing, watch: ClientWatch, opened: Opened, context: RefusalContext): Promise<SentEnding> {
  out.quiet();
  const relayed = await opened.relay(NOWHERE);
  const withheld = { code: 'answer_not_streamed', message: 'The upstream sent a whole answer where a stream was asked for, too late to pass it on.' };
  const error = { status: 502, code: withheld.code, type: null, message: spoken(withheld.message), requestId: context.requestId };
  out.write(context.format.writeErrorEvent(error, context.framing, { events: 0, sequence: null, responseId: null, model: context.model }, context.createdSecs), NOTHING_FOLLOWS);
  await endFailed(parts, out, watch);
  return { ...endingOf(out, watch, 200), relayed: relayed.end === 'complete' ? { ...relayed, end: 'error_event' } : relayed, withheld };
}

const NOWHERE: Sink = { write: () => true, whenDrained: (resume) => { queueMicrotask(resume); } };

async function refuse(parts: ReplyParts, out: Outgoing, watch: ClientWatch, refusal: Refusal, notes: ReplyNotes, context: RefusalContext): Promise<Ending> {
  out.quiet();
  // An answer has begun; whatever went wrong, it must not look complete.
  if (out.headSent() && out.bytes() > 0) {
    breakOff(parts, watch);
    return endingOf(out, watch, parts.response.statusCode);
  }
  if (out.headSent()) {
    out.write(refusalEvents(refusal, context), NOTHING_FOLLOWS);
    await endFailed(parts, out, watch);
    return endingOf(out, watch, 200);
  }
  const answer = refusalAnswer(refusal, context);
  const own: HeaderList = answer.events ? streamHeaders(answer.headers) : [['content-length', String(answer.body.byteLength)]];
  out.head(answer.status, [...answer.headers, ...own, ...noteHeaders(notes, answer.headers)]);
  out.write(answer.body, NOTHING_FOLLOWS);
  await (answer.events ? endFailed(parts, out, watch) : out.end());
  return endingOf(out, watch, answer.status);
}

function endingOf(out: Outgoing, watch: ClientWatch, status: number): Ending {
  const clientGone = watch.gone.aborted;
  watch.release();
  return { status: clientGone ? CLIENT_LEFT : status, bytes: out.bytes(), clientGone };
}
