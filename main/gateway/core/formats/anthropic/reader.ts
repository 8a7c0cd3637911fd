import { parseJson } from '../../../../../shared/json.ts';
import type { AnswerFacts } from '../../wire-format.ts';
import { CONTENT, END, errorReading, HEARTBEAT, type Interpreter, OPENING, type Reading, SKIPPED, TERMINAL, withSeal } from '../stream.ts';
import { asObject, asText, isFilled, type JsonObject } from '../value.ts';
import { anthropicError } from './errors.ts';
import { blockSeal } from './seal.ts';
import { anthropicUsage, mergeCounts, NO_COUNTS } from './usage.ts';

/** Events that carry no facts: after content they need no parsing. */
const BLOCK_EVENT = /^\s*\{\s*"type"\s*:\s*"content_block_(?:delta|start|stop)"/;
const MAY_BE_ERROR = /"error"\s*:\s*(?!\s|null)|\\u00[4-7]/;
const MAY_BE_SEALED = /"signature|"redacted_thinking"/;

/** Reads the events of Anthropic's Messages. */
export function createAnthropicInterpreter(): Interpreter {
  let model: string | null = null;
  let counts = NO_COUNTS;
  let finishReason: string | null = null;
  let seal: { readonly block: unknown; readonly text: string } | null = null;

  const read = (name: string | null, data: string, _content: boolean, scan: boolean): Reading => {
    if (scan && BLOCK_EVENT.test(data) && !MAY_BE_ERROR.test(data) && !MAY_BE_SEALED.test(data)) return CONTENT;
    const event = asObject(parseJson(data));
    if (event === null) return SKIPPED;
    const type = asText(event['type']) ?? name;
    const error = anthropicError(type === 'error' ? { ...event, type } : event);
    if (error !== null) return errorReading(error);
    switch (type) {
      case 'ping': return HEARTBEAT;
      case 'message_start': return readStart(asObject(event['message']));
      case 'content_block_start': return readBlock(event['index'], asObject(event['content_block']));
      case 'content_block_delta': return readPiece(event['index'], asObject(event['delta']));
      case 'message_delta': return readDelta(event);
      case 'message_stop': return TERMINAL;
      default: return OPENING;
    }
  };

  const readStart = (message: JsonObject | null): Reading => {
    model ??= asText(message?.['model']);
    counts = mergeCounts(counts, message?.['usage']);
    return OPENING;
  };

  const readBlock = (index: unknown, block: JsonObject | null): Reading => {
    addSeal(index, block === null ? null : blockSeal(block));
    return isVisibleBlock(block) ? CONTENT : OPENING;
  };

  const readPiece = (index: unknown, delta: JsonObject | null): Reading => {
    if (delta?.['type'] === 'signature_delta') addSeal(index, asText(delta['signature']));
    return isVisibleDelta(delta) ? CONTENT : OPENING;
  };

  /** A signature may come in pieces: those of one block belong together. */
  const addSeal = (block: unknown, piece: string | null): void => {
    if (piece !== null) seal = { block, text: seal !== null && seal.block === block ? seal.text + piece : piece };
  };

  const readDelta = (event: JsonObject): Reading => {
    counts = mergeCounts(counts, event['usage']);
    const reason = asText(asObject(event['delta'])?.['stop_reason']);
    finishReason = reason ?? finishReason;
    return reason === null ? OPENING : END;
  };

  return {
    read,
    errorIn: anthropicError,
    facts: (): AnswerFacts => withSeal({ model, usage: anthropicUsage(counts), finishReason }, seal?.text ?? null),
    thread: () => ({ sequence: null, responseId: null }),
  };
}

/** Every block but empty text, empty thinking and redacted thinking can be seen or is acted upon (wire formats 5). */
function isVisibleBlock(block: JsonObject | null): boolean {
  if (block === null) return false;
  switch (block['type']) {
    case undefined: case 'redacted_thinking': return false;
    case 'text': return isFilled(block['text']);
    case 'thinking': return isFilled(block['thinking']);
    default: return true;
  }
}

/** A tool's input is content even when this piece of it is empty: its block has named the tool. */
function isVisibleDelta(delta: JsonObject | null): boolean {
  if (delta === null) return false;
  switch (delta['type']) {
    case undefined: case 'signature_delta': return false;
    case 'text_delta': return isFilled(delta['text']);
    case 'thinking_delta': return isFilled(delta['thinking']);
    default: return true;
  }
}
