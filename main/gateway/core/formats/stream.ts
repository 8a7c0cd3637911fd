import { parseJson } from '../../../../shared/json.ts';
import type { AnswerError, AnswerFacts, EventLabel, Framing, ReadEvent, StreamReader } from '../wire-format.ts';
import type { Block } from './block.ts';
import { createArraySplitter } from './json-array.ts';
import { createSseSplitter, readSseFields, type SseFields } from './sse.ts';

/** What a format makes of one event. */
export interface Reading {
  readonly label: EventLabel;
  readonly error: AnswerError | null;
  /** The event carries an end mark, whatever its label: text and finish reason may come together. */
  readonly ended: boolean;
  readonly terminal: boolean;
}

const plain = (label: EventLabel, ended = false, terminal = false): Reading => ({ label, error: null, ended, terminal });
/** Data that is no JSON: keep-alives in disguise, marks of other formats. Says nothing, fails nothing. */
export const SKIPPED = plain('heartbeat');
export const HEARTBEAT = plain('heartbeat');
export const OPENING = plain('opening');
export const CONTENT = plain('content');
/** Content with an end mark in the same event. */
export const LAST_CONTENT = plain('content', true);
export const END = plain('end', true);
/** An end mark after which nothing may follow. */
export const TERMINAL = plain('end', true, true);
export const LAST_CONTENT_TERMINAL = plain('content', true, true);

/** A reading of an error event. */
export function errorReading(error: AnswerError): Reading {
  return { label: 'error', error, ended: false, terminal: true };
}

/** Knows one format's events; remembers what they said of the answer. */
export interface Interpreter {
  /** `content`: whether content came before. `scan`: the event is complete and content came before, so it need not be parsed unless it carries facts. */
  read(name: string | null, data: string, content: boolean, scan: boolean): Reading;
  /** The error that a JSON value is in this format, or null. */
  errorIn(value: unknown): AnswerError | null;
  facts(): AnswerFacts;
  /** Responses: last `sequence_number` and the answer's id. */
  thread(): { readonly sequence: number | null; readonly responseId: string | null };
}

/** The facts with the seal of the last sealed item, if there was one. */
export function withSeal(facts: AnswerFacts, seal: string | null): AnswerFacts {
  return seal === null ? facts : { ...facts, seal };
}

const NO_EVENTS: readonly ReadEvent[] = [];

/** A reader of one stream: cuts it, has the format label each event, and keeps the rules that are the same in all formats (SPEC 5). */
export function createStreamReader(framing: Framing, interpreter: Interpreter): StreamReader {
  const splitter = framing === 'sse' ? createSseSplitter() : createArraySplitter();
  let startByte = 0;
  let events = 0;
  let content = false;
  let ended = false;
  let failed = false;

  const read = (block: Block): Reading | null => {
    if (block.closing) return ended ? TERMINAL : OPENING;
    const fields = framing === 'sse' ? readSseFields(block.text ?? '') : elementOf(block.text ?? '');
    if (fields.data === null) return readUnframed(block);
    if (fields.data.trim() === '') return block.terminated ? HEARTBEAT : null;
    const reading = interpreter.read(fields.name, fields.data, content, content && block.terminated && !block.oversized);
    if (reading === SKIPPED) return block.terminated ? readForeign(fields) : null;
    events += 1;
    return reading;
  };

  /** Data that is no JSON says nothing, unless its event is named an error. */
  const readForeign = ({ name, data }: SseFields): Reading => {
    const error = name === 'error' ? interpreter.errorIn({ error: data }) : null;
    return error === null ? SKIPPED : errorReading(error);
  };

  /** A block without data: a comment, or an error that the upstream wrote without framing (SPEC 5.3). */
  const readUnframed = (block: Block): Reading | null => {
    const text = block.text ?? '';
    const error = text.includes('"error"') ? interpreter.errorIn(parseJson(text)) : null;
    if (error !== null) return errorReading(error);
    return block.terminated ? HEARTBEAT : null;
  };

  const toEvent = (block: Block): ReadEvent | null => {
    const reading = read(block);
    if (reading === null && !block.oversized) return null;
    const label = labelOf(reading, block.oversized);
    const event = { label, startByte, endByte: block.endByte, error: label === 'error' && reading !== null ? reading.error : null, terminal: reading?.terminal ?? false };
    startByte = block.endByte;
    if (label === 'content') content = true;
    if (reading?.label === 'error') failed = true;
    if (reading?.ended === true) ended = true;
    return event;
  };

  /** Over 1 MiB is content whatever it says (SPEC 5.5); content never turns back into opening (law 6). */
  const labelOf = (reading: Reading | null, oversized: boolean): EventLabel => {
    if (reading === null || oversized) return 'content';
    return content && reading.label === 'opening' ? 'content' : reading.label;
  };

  const complete = (): boolean => ended && !failed;

  return {
    push(chunk) {
      const blocks = splitter.push(chunk);
      if (blocks.length === 0) return NO_EVENTS;
      const found: ReadEvent[] = [];
      for (const block of blocks) {
        const event = toEvent(block);
        if (event !== null) found.push(event);
      }
      return found;
    },
    finish() {
      const block = splitter.finish();
      const event = block === null ? null : toEvent(block);
      return event === null ? NO_EVENTS : [event];
    },
    facts() {
      const facts = interpreter.facts();
      return complete() ? facts : { ...facts, finishReason: null };
    },
    position: () => ({ events, ...interpreter.thread(), model: interpreter.facts().model }),
    ended: complete,
    pendingBytes: () => splitter.pendingBytes(),
    oversized: () => splitter.oversized(),
  };
}

/** An array element without the separators ahead of it. */
function elementOf(text: string): SseFields {
  const brace = text.indexOf('{');
  return { name: null, data: brace === -1 ? null : text.slice(brace) };
}
