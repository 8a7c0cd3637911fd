import type { WholeReading, WireFormat } from '../../wire-format.ts';
import { lastSeal } from '../last-sealed.ts';
import { createStreamReader } from '../stream.ts';
import { asObject, asText } from '../value.ts';
import { readWholeAnswer } from '../whole.ts';
import { responsesError, responsesFailure, writeResponsesError, writeResponsesErrorEvent } from './errors.ts';
import { createResponsesInterpreter } from './reader.ts';
import { RESPONSES_SEALS } from './seal.ts';
import { responsesUsage } from './usage.ts';

/** OpenAI Responses. */
export const responses: WireFormat = {
  name: 'responses',
  reader: (framing) => createStreamReader(framing, createResponsesInterpreter()),
  readWhole: (body) => readWholeAnswer(body, readAnswer, RESPONSES_SEALS),
  readFailure: responsesFailure,
  lastSeal: (body) => lastSeal(body, RESPONSES_SEALS),
  writeError: (error) => writeResponsesError(error),
  writeErrorEvent: (error, _framing, at, createdSecs) => writeResponsesErrorEvent(error, at, createdSecs),
};

function readAnswer(value: unknown): WholeReading {
  const error = responsesError(value);
  if (error !== null) return { kind: 'error', error };
  const answer = asObject(value);
  if (answer === null || !(answer['object'] === 'response' || Array.isArray(answer['output']))) return { kind: 'invalid' };
  const finishReason = asText(asObject(answer['incomplete_details'])?.['reason']) ?? asText(answer['status']);
  return { kind: 'answer', facts: { model: asText(answer['model']), usage: responsesUsage(answer['usage']), finishReason } };
}
