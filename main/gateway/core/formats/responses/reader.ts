import { parseJson } from '../../../../../shared/json.ts';
import type { AnswerFacts, Usage } from '../../wire-format.ts';
import { CONTENT, errorReading, HEARTBEAT, type Interpreter, OPENING, type Reading, SKIPPED, TERMINAL, withSeal } from '../stream.ts';
import { asArray, asCount, asObject, asText, type JsonObject } from '../value.ts';
import { responsesError } from './errors.ts';
import { itemSeal } from './seal.ts';
import { responsesUsage } from './usage.ts';
import { isVisibleEvent } from './visible.ts';

/** Events that carry no facts but their number: after content they need no parsing. */
const FACTLESS = /^\s*\{\s*"type"\s*:\s*"response\.[\w.]+\.(?:delta|done|added)"/;
const MAY_BE_ERROR = /"error"\s*:\s*(?!\s|null)|\\u00[4-7]/;
const MAY_BE_SEALED = /"encrypted_content"\s*:\s*"/;
/** Inside a text the quotes would be escaped, so this is a member. */
const SEQUENCE = /"sequence_number"\s*:\s*(\d+)/;

/** Reads the events of OpenAI's Responses. */
export function createResponsesInterpreter(): Interpreter {
  let model: string | null = null;
  let usage: Usage | null = null;
  let finishReason: string | null = null;
  let sequence: number | null = null;
  let responseId: string | null = null;
  let seal: string | null = null;

  const read = (name: string | null, data: string, _content: boolean, scan: boolean): Reading => {
    if (scan && FACTLESS.test(data) && !MAY_BE_ERROR.test(data) && !MAY_BE_SEALED.test(data)) {
      const digits = SEQUENCE.exec(data)?.[1];
      if (digits !== undefined) sequence = Number(digits);
      return CONTENT;
    }
    const event = asObject(parseJson(data));
    if (event === null) return SKIPPED;
    const type = asText(event['type']) ?? name ?? '';
    const response = asObject(event['response']);
    sequence = asCount(event['sequence_number']) ?? sequence;
    readResponse(response);
    if (type === 'response.output_item.done') readItem(event['item']);
    const error = responsesError(event, name);
    if (error !== null) return errorReading(error);
    return label(type, event, response);
  };

  const readResponse = (response: JsonObject | null): void => {
    if (response === null) return;
    model = asText(response['model']) ?? model;
    responseId = asText(response['id']) ?? responseId;
    usage = responsesUsage(response['usage']) ?? usage;
    asArray(response['output']).forEach(readItem);
  };

  /** An item counts as it is when it is done: what is encrypted changes until then. */
  const readItem = (item: unknown): void => {
    seal = itemSeal(asObject(item) ?? {}) ?? seal;
  };

  const label = (type: string, event: JsonObject, response: JsonObject | null): Reading => {
    if (type === 'keepalive') return HEARTBEAT;
    if (!type.startsWith('response.')) return OPENING;
    const state = asText(response?.['status']);
    const ends = type === 'response.completed' || type === 'response.incomplete' || state === 'completed' || state === 'incomplete';
    if (!ends) return isVisibleEvent(type, event) ? CONTENT : OPENING;
    finishReason = asText(asObject(response?.['incomplete_details'])?.['reason']) ?? state ?? type.slice('response.'.length);
    return TERMINAL;
  };

  return {
    read,
    errorIn: responsesError,
    facts: (): AnswerFacts => withSeal({ model, usage, finishReason }, seal),
    thread: () => ({ sequence, responseId }),
  };
}
