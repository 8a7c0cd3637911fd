import type { WholeReading, WireFormat } from '../../wire-format.ts';
import { lastSeal } from '../last-sealed.ts';
import { createStreamReader } from '../stream.ts';
import { asObject, asText } from '../value.ts';
import { readWholeAnswer } from '../whole.ts';
import { anthropicError, anthropicFailure, writeAnthropicError, writeAnthropicErrorEvent } from './errors.ts';
import { createAnthropicInterpreter } from './reader.ts';
import { ANTHROPIC_SEALS } from './seal.ts';
import { anthropicUsage, mergeCounts, NO_COUNTS } from './usage.ts';

/** Anthropic Messages. */
export const anthropic: WireFormat = {
  name: 'anthropic',
  reader: (framing) => createStreamReader(framing, createAnthropicInterpreter()),
  readWhole: (body) => readWholeAnswer(body, readAnswer, ANTHROPIC_SEALS),
  readFailure: anthropicFailure,
  lastSeal: (body) => lastSeal(body, ANTHROPIC_SEALS),
  writeError: (error) => writeAnthropicError(error),
  writeErrorEvent: (error) => writeAnthropicErrorEvent(error),
};

function readAnswer(value: unknown): WholeReading {
  const error = anthropicError(value);
  if (error !== null) return { kind: 'error', error };
  const answer = asObject(value);
  if (answer === null || !(answer['type'] === 'message' || Array.isArray(answer['content']))) return { kind: 'invalid' };
  const usage = anthropicUsage(mergeCounts(NO_COUNTS, answer['usage']));
  return { kind: 'answer', facts: { model: asText(answer['model']), usage, finishReason: asText(answer['stop_reason']) } };
}
