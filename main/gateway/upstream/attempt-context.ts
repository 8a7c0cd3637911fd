import type { FailurePhase, UpstreamFailure } from '../../../shared/failure.ts';
import type { AnswerError, WireFormat } from '../core/wire-format.ts';
import type { AttemptOrder, AttemptReport, Clock, KeptAnswer, Opened } from '../ports.ts';
import type { AttemptTimers, TimeoutCode } from './attempt-timers.ts';
import type { BodyEvents, Flow } from './decoding.ts';
import type { OwnFailureCode } from './network-failure.ts';
import type { HeaderPairs, RawResponseHeaders } from './response-headers.ts';

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: RawResponseHeaders;
  /** The body's encoding, when it has one that must be undone. */
  readonly encoding: string | null;
}

/** Takes the body of one answer and knows what becomes of the attempt. After it settled, nothing reaches it but through `relay`. */
export interface AnswerReader extends BodyEvents {
  /** A limit of the attempt ran out. */
  expired(code: TimeoutCode): void;
  /** Nothing could be tried after this attempt: what is held goes out (SPEC 6.1). */
  letGo(): void;
  /** The answer is not wanted any more, after it was opened. */
  gone(): void;
}

/** What the readers of one attempt share. */
export interface AttemptContext {
  readonly order: AttemptOrder;
  readonly clock: Clock;
  readonly format: WireFormat;
  readonly timers: AttemptTimers;
  /** Of the body as the reader gets it: decoded. `drop` closes the connection unless the answer is complete. */
  readonly flow: Flow;
  report(): AttemptReport;
  headersForClient(head: AnswerHead, sameBody: boolean): HeaderPairs;
  /** A failure of our own naming. `detail` is added to its sentence. */
  ownFailure(code: OwnFailureCode, where: FailurePhase, detail?: string, status?: number): UpstreamFailure;
  /** A failure that the upstream told of; `body` is what the user's rules look at. */
  toldFailure(error: AnswerError, where: FailurePhase, body: Uint8Array): UpstreamFailure;
  /** The user's rules have the first word about any answer that failed (SPEC 4.7). */
  ruled(failure: UpstreamFailure, body: Uint8Array): UpstreamFailure;
  /** The text without the secrets that were sent, and without what looks like one (SPEC 12.5). */
  masked(text: string): string;
  /** Settles the attempt as opened; the context stays until `finish`. */
  open(opened: Opened): void;
  /** Settles the attempt as failed and leaves nothing behind. */
  fail(failure: UpstreamFailure, kept: KeptAnswer | null): void;
  /** The relay is over: leaves nothing behind. */
  finish(): void;
  /** Another reader takes over from here; it is given `held` first. */
  become(reader: AnswerReader, held: readonly Uint8Array[]): void;
}

/** Facts of an answer that was not read. */
export const NO_FACTS = { model: null, usage: null, finishReason: null } as const;
/** Where an answer stands that has no events. */
export const NO_POSITION = { events: 0, sequence: null, responseId: null, model: null } as const;
