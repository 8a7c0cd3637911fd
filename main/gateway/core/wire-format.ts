import type { FailureClass } from '../../../shared/failure.ts';
import type { FormatName } from '../../../shared/format.ts';

/** How a streamed answer is cut into events: server-sent events, or Gemini's JSON array (SPEC 1.2). */
export type Framing = 'sse' | 'json_array';

/** An event longer than this is content whatever it says (SPEC 5.5), bytes. */
export const MAX_EVENT_BYTES = 1_048_576;

/** What an event means while the stream is held (SPEC 5). */
export type EventLabel = 'heartbeat' | 'opening' | 'content' | 'end' | 'error';

/** Tokens of an answer; null is "not told", never 0 for unknown. Input includes cache reads and writes, output includes reasoning. */
export interface Usage {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly reasoning: number | null;
}

/** What an answer says of itself. */
export interface AnswerFacts {
  readonly model: string | null;
  readonly usage: Usage | null;
  /** Native value; Responses: the reason of an incomplete answer, or its status. */
  readonly finishReason: string | null;
  /** The last sealed item (encrypted reasoning, a signature), which only the account that made it can read (SPEC 9.5). Left out when there is none. */
  readonly seal?: string;
}

/** An error that an upstream reported, classified once (SPEC 4). */
export interface AnswerError {
  readonly class: FailureClass;
  readonly code: string;
  readonly type: string | null;
  /** The upstream's words, at most 2 KiB, not yet masked. */
  readonly message: string;
  /** The HTTP status, or the one that stands for an in-stream error (SPEC 4.8). */
  readonly status: number;
  /** From headers or body (SPEC 8.4), ms; null when there is none that counts. */
  readonly hintMs: number | null;
}

/** One complete event of a stream, by its bytes. */
export interface ReadEvent {
  readonly label: EventLabel;
  /** Offsets in the stream: first byte of the block (comments ahead of it included) and the one after its end. */
  readonly startByte: number;
  readonly endByte: number;
  /** Set when the label is `error`. */
  readonly error: AnswerError | null;
  /** After it nothing may be put into the stream: `message_stop`, `response.completed`, `[DONE]`, a finish reason of Gemini. */
  readonly terminal: boolean;
}

/** Where a stream stands, for an error event that has to follow what was already sent. */
export interface StreamPosition {
  /** Complete events seen so far (array elements for Gemini). */
  readonly events: number;
  /** Last `sequence_number` of a Responses stream. */
  readonly sequence: number | null;
  readonly responseId: string | null;
  readonly model: string | null;
}

/** Labels the events of one stream. What it says never depends on where the bytes are cut (law 6). */
export interface StreamReader {
  /** Complete events that end in this chunk, in order. Content never turns back into opening. Keeps at most 1 MiB of an incomplete event; a longer one is content (SPEC 5.5). */
  push(chunk: Uint8Array): readonly ReadEvent[];
  /** The stream ended: a last event without its blank line counts if it parses (SPEC 5.3). */
  finish(): readonly ReadEvent[];
  facts(): AnswerFacts;
  position(): StreamPosition;
  /** Whether an end mark was seen, so that stopping now is a complete answer. */
  ended(): boolean;
  /** Bytes since the end of the last complete event. */
  pendingBytes(): number;
  /** Whether the incomplete event is already over 1 MiB, which makes it content. */
  oversized(): boolean;
}

/** What a whole answer with a 2xx status turned out to be (SPEC 4.5, 4.9). */
export type WholeReading =
  | { readonly kind: 'answer'; readonly facts: AnswerFacts }
  | { readonly kind: 'error'; readonly error: AnswerError }
  /** HTML, or JSON of a shape that no answer of this format has. */
  | { readonly kind: 'invalid' }
  | { readonly kind: 'empty' };

/** A response with a status that is no success. */
export interface FailedAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** At most 64 KiB. */
  readonly body: Uint8Array;
  /** Statuses that count as transient (SPEC 4.2). */
  readonly transientStatuses: readonly number[];
  /** Ms since 1970, for dates in headers. */
  readonly utcMs: number;
}

/** An error in the gateway's own words, or an upstream's words that must change their shape. */
export interface OwnError {
  readonly status: number;
  /** `model_not_found`, `route.all_busy`, or the upstream's code. */
  readonly code: string;
  /** The upstream's type when it must be kept (SPEC 10.2), else null: then the status decides. */
  readonly type: string | null;
  /** One line. */
  readonly message: string;
  readonly requestId: string;
}

/** One wire format (SPEC 0): everything that differs between formats stands behind this. */
export interface WireFormat {
  readonly name: FormatName;
  reader(framing: Framing): StreamReader;
  readWhole(body: Uint8Array): WholeReading;
  readFailure(answer: FailedAnswer): AnswerError;
  /** The seal of the last sealed item in a request or a whole answer; null without one (SPEC 9.5). The body must be valid JSON. */
  lastSeal(body: Uint8Array): string | null;
  /** Body of an error response; `framing` is `json_array` for Gemini streams without `alt=sse`. */
  writeError(error: OwnError, framing: Framing | null): Uint8Array;
  /** Error event for a stream that has begun, framing included (SPEC 10.3; wire formats 12). `createdSecs` is the time for Responses. */
  writeErrorEvent(error: OwnError, framing: Framing, at: StreamPosition, createdSecs: number): Uint8Array;
}

/** Top-level facts of a request body, read without parsing it whole. */
export interface RequestScan {
  readonly model: string | null;
  /** Byte range of the model's JSON string, quotes included; null when it is not in the body. */
  readonly modelSpan: { readonly startByte: number; readonly endByte: number } | null;
  readonly stream: boolean;
  /** `prompt_cache_key` of OpenAI formats. */
  readonly cacheKey: string | null;
}
