import type { ExchangeEvent } from '../../shared/events.ts';
import type { UpstreamFailure } from '../../shared/failure.ts';
import type { FormatName } from '../../shared/format.ts';
import type { Route } from '../../shared/route.ts';
import type { RetryRule, Settings } from '../../shared/settings.ts';
import type { Upstream } from '../../shared/upstream.ts';
import type { AnswerFacts, Framing, StreamPosition } from './core/wire-format.ts';

/** Time. `now` is monotonic ms, `utc` ms since 1970. */
export interface Clock {
  now(): number;
  utc(): number;
  /** Calls once after `waitMs` (any length: longer than 2^31 ms is fine); the returned function cancels. Fires never synchronously. */
  timer(waitMs: number, fire: () => void): () => void;
  /** Resolves after `waitMs` or when `until` aborts, whichever is first; never rejects and leaves nothing behind. */
  sleep(waitMs: number, until: AbortSignal): Promise<void>;
}

/** Chance: a number in [0, 1). */
export interface Random { draw(): number }

/** Where the loop reports; never blocks, never throws. */
export interface Journal { note(event: ExchangeEvent): void }

/** The beginning of a body as it was seen. */
export interface SeenBody {
  /** Length of the whole, decoded. */
  readonly bytes: number;
  /** At most 256 KiB, alone in its memory: it is copied to another thread with all the memory that it lies in. */
  readonly kept: Uint8Array<ArrayBuffer>;
}

/** Headers and bodies of an exchange as they were seen: raw, nothing masked, on their way to the one place that masks and keeps them (SPEC 12.4, 12.5). */
export interface SeenContents {
  readonly method: string;
  /** Names and values in turn, each ended by a line feed, which neither can hold: one string is cheaper to hand over than forty. */
  readonly requestHeaders: string;
  /** The same of what the client got; null when it got no head. */
  readonly answerHeaders: string | null;
  /** Null when it is not to be kept. */
  readonly request: SeenBody | null;
  readonly answer: SeenBody | null;
}

/** Takes contents for the log; never blocks, never throws. `characters` is about what they weigh in memory. */
export interface ContentsJournal { keep(id: string, contents: SeenContents, characters: number): void }

/** What the way back to a client notes of an answer while it goes out. */
export interface AnswerSight {
  /** Names and values of the head in turn; null until it goes. */
  head: readonly string[] | null;
  /** Takes bytes of the answer; null when bodies are not kept, and then nothing is done with them. */
  readonly body: { append(bytes: Uint8Array): void } | null;
}

/** Watches exchanges for what is kept beside their rows (SPEC 12.4). */
export interface Sights {
  /** `rawHeaders`: names and values in turn, as they came. */
  begin(arrival: Arrival, rawHeaders: readonly string[]): AnswerSight;
  /** Lets go of an exchange, finished or not. */
  end(id: string): void;
}

/** What the user configured, read from memory. */
export interface Configuration {
  settings(): Settings;
  routes(): readonly Route[];
  /** In the user's order. */
  upstreams(): readonly Upstream[];
  upstream(id: string): Upstream | null;
}

/** A presented key, checked in constant time (SPEC 1.4). */
export type KeyCheck =
  | { readonly kind: 'valid'; readonly id: string; readonly name: string; /** Aborts when the key is deleted or disabled. */ readonly revoked: AbortSignal }
  | { readonly kind: 'disabled' | 'unknown' };
export interface Keys { check(key: string): KeyCheck }

/** The secret of an upstream, looked up at the start of each attempt (SPEC 2.4). */
export type CredentialLookup =
  | { readonly kind: 'secret'; readonly value: string }
  | { readonly kind: 'client' }
  | { readonly kind: 'none' }
  /** `credential.sealed`, `credential.env_missing`, `credential.missing`. */
  | { readonly kind: 'unusable'; readonly code: string };
export interface Credentials { of(upstream: Upstream): CredentialLookup }

/** Remembers which upstream made which sealed item (SPEC 9.5): hashes of them, 24 h, the newest 4096, over restarts. Answers from memory and never blocks. */
export interface SealMemory {
  /** False while nothing is remembered: then no request need be looked through. */
  any(): boolean;
  /** Id of the upstream that made this seal, null when that is not known (any more). */
  upstreamOf(seal: string): string | null;
  learn(seal: string, upstreamId: string): void;
}

/** Operational log; every field is masked before it comes here. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** What a request is for: decides about hold and retry (SPEC 1.2, 7.9, 7.10). */
export type Operation = 'generate' | 'count_tokens' | 'forward';

/** A request that was let in, read and recognised: all that the loop knows of the client. */
export interface Arrival {
  /** UUID v7. */
  readonly id: string;
  /** When its head came: monotonic ms, and ms since 1970. */
  readonly atMs: number;
  readonly atUtcMs: number;
  readonly format: FormatName;
  readonly operation: Operation;
  readonly method: string;
  /** For the log: without `/k/<key>` and without credentials in the query. */
  readonly path: string;
  readonly model: string | null;
  readonly streamed: boolean;
  /** How the client wants a stream; `sse` for whole answers too. */
  readonly framing: Framing;
  /** Headers that go upstream (SPEC 1.7), lower-case names, without any credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** All of the client's headers that may go along with its own credential (SPEC 2.4). */
  readonly clientHeaders: Readonly<Record<string, string>>;
  /** Path and query for the upstream, `/v1/messages?beta=true`, asking for this model (null keeps the client's). */
  target(model: string | null): string;
  /** The kept bytes; with another model only its string is replaced, in place (SPEC 1.6). Pieces are shared, never copied or changed. */
  body(model: string | null): readonly Uint8Array[];
  readonly bodyBytes: number;
  /** The gateways that it has passed on its way here, as it says itself; null or left out: none. */
  readonly via?: string | null;
  /** Hash of the body, equal only for equal bodies (SPEC 1.9). */
  fingerprint(): string;
  readonly keyName: string | null;
  readonly client: string | null;
  readonly sessionId: string | null;
  readonly clientRetry: number | null;
  /** Names the conversation: the session the client tells, else a hash of its instructions and first message; null without either (SPEC 9.5). Reads the body when there is no session: ask only when it matters. */
  conversation(): string | null;
  /** The seal of the last sealed item in the history, as it stands there; null without one (SPEC 9.5). Reads the body: ask only when it matters. */
  seal(): string | null;
}

/** An upstream and the model to ask it for (SPEC 0). */
export interface Candidate {
  readonly upstreamId: string;
  /** null keeps the client's model. */
  readonly model: string | null;
}

/** One attempt, fully specified. */
export interface AttemptOrder {
  readonly arrival: Arrival;
  /** As configured at this moment. */
  readonly upstream: Upstream;
  readonly model: string | null;
  /** Aborts when the attempt is wanted no more: the client left, the key was revoked, the app stops. */
  readonly gone: AbortSignal;
  /** Aborted (now or later): nothing could be tried after this attempt, so what is held goes out at once and the stream flows (SPEC 6.1). */
  readonly letGo: AbortSignal;
  /** SPEC 2.5: fed by opening and content, not by heartbeats; after content by any byte. */
  readonly idleTimeoutMs: number;
  /** SPEC 8.2 `attemptTimeoutMs` (0 = off). */
  readonly attemptTimeoutMs: number;
  /** Whole answers: time left before the hard deadline less its 2 s (SPEC 8.3); null for streams. */
  readonly wholeLeftMs: number | null;
  readonly transientStatuses: readonly number[];
  readonly rules: readonly RetryRule[];
}

/** What every attempt can tell afterwards. */
export interface AttemptReport {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly sentWhole: boolean;
  /** Sent again on a fresh connection (SPEC 4.6). */
  readonly resent: boolean;
  /** Bytes of the body that came. */
  readonly bytes: number;
}

/** What a failed attempt would send to the client (SPEC 10.1). */
export interface KeptAnswer {
  readonly kind: 'http' | 'stream';
  readonly status: number;
  /** Already filtered for the client (SPEC 1.7), lower-case names. */
  readonly headers: readonly (readonly [string, string])[];
  /** `http`: at most 64 KiB of the error body, decoded; `stream`: the held opening and its error bytes, complete events only. */
  readonly body: Uint8Array;
  /** Whether `body` parses in the client's format, so that it can go out unchanged. */
  readonly wellFormed: boolean;
  /** `http`: the body was longer than what is kept. */
  readonly cut: boolean;
}

/** The attempt failed and nothing of it has reached the client: the only thing `decide` ever hears of. */
export interface Unopened {
  readonly kind: 'unopened';
  readonly failure: UpstreamFailure;
  readonly kept: KeptAnswer | null;
  readonly report: AttemptReport;
}

/** Takes the bytes of an answer towards the client. */
export interface Sink {
  /** False: the client is slow, write no more until `whenDrained` calls back. Complete events only while a stream is relayed, but for events over 64 KiB. */
  write(bytes: Uint8Array, mark: SinkMark): boolean;
  whenDrained(resume: () => void): void;
}
export interface SinkMark {
  /** The bytes end at the end of an event. */
  readonly boundary: boolean;
  /** Content has been seen, in these bytes or before. */
  readonly content: boolean;
  /** The terminal event is among these bytes or came before: nothing may be put in after it. */
  readonly terminal: boolean;
}

/** How the relay of an opened answer ended. */
export interface Relayed {
  /** `cut`: broke, went silent, or ended without an end mark (SPEC 10.3); `error_event`: the upstream's own error event was relayed; `gone`: the order's `gone` aborted. */
  readonly end: 'complete' | 'cut' | 'error_event' | 'gone';
  readonly failure: UpstreamFailure | null;
  readonly facts: AnswerFacts;
  readonly position: StreamPosition;
  /** Monotonic ms of the first content, or of the end of an answer without any; null when there was neither. */
  readonly firstContentMs: number | null;
  readonly report: AttemptReport;
}

/** The attempt opened: its first content is there (or nothing is held), bytes wait to be relayed. */
export interface Opened {
  readonly kind: 'opened';
  readonly status: number;
  /** Already filtered for the client (SPEC 1.7), lower-case names; content-length only when it is right. */
  readonly headers: readonly (readonly [string, string])[];
  /** True: a stream of events in the client's framing. False: a whole body. */
  readonly stream: boolean;
  /** The whole body when it was kept until complete (SPEC 5.7), else null. */
  readonly whole: Uint8Array | null;
  /** What the answer has said so far; left out where it is not read. */
  readonly facts?: () => AnswerFacts;
  /** Sends held bytes first, then the rest, in order. Call exactly once. Never rejects. */
  relay(sink: Sink): Promise<Relayed>;
}

/** Towards the provider. Never rejects: failures are values. */
export interface Upstreams { open(order: AttemptOrder): Promise<Opened | Unopened> }

/** What the head of the reply says of the exchange (SPEC 1.7). */
export interface ReplyNotes {
  readonly requestId: string;
  readonly upstreamName: string | null;
  readonly retries: number;
  /** SPEC 10.5. */
  readonly stopClientRetries: boolean;
}

/** What goes to the client when no answer does. */
export type Refusal =
  /** An upstream's failure; `chain` names what happened in one line when there was more than one attempt (SPEC 10.4). */
  | { readonly kind: 'upstream'; readonly failure: UpstreamFailure; readonly upstreamName: string; readonly kept: KeptAnswer | null; readonly chain: string | null }
  | { readonly kind: 'own'; readonly status: number; readonly code: string; readonly message: string; readonly retryAfterSecs: number | null };

/** How the reply ended. */
export interface Ending {
  /** What the client got; 499 when it left before a head. */
  readonly status: number;
  /** Bytes of answer written, keep-alives not counted (SPEC 6.4). */
  readonly bytes: number;
  readonly clientGone: boolean;
}
export interface SentEnding extends Ending {
  readonly relayed: Relayed;
  /** Set when nothing of the answer could be put into what the client had been promised: the error that it got instead. */
  readonly withheld?: { readonly code: string; readonly message: string };
}

/** Towards the client. Sends keep-alives by itself until `send` or `refuse` is called (SPEC 6.2, 6.3). Exactly one of the two, once. Never rejects. */
export interface Reply {
  /** Aborts when the client left (closed, reset or half-closed). */
  readonly gone: AbortSignal;
  send(opened: Opened, notes: ReplyNotes): Promise<SentEnding>;
  refuse(refusal: Refusal, notes: ReplyNotes): Promise<Ending>;
}

/** The loop, as the downstream edge sees it: takes a request from arrival to end. Never rejects. */
export interface Exchanges { run(arrival: Arrival, reply: Reply, revoked: AbortSignal): Promise<void> }
