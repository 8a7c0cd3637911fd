import type { WholeReading, WireFormat } from '../../wire-format.ts';
import { lastSeal } from '../last-sealed.ts';
import { createStreamReader } from '../stream.ts';
import { asArray, asObject, asText } from '../value.ts';
import { readWholeAnswer } from '../whole.ts';
import { chatError, chatFailure, writeChatError, writeChatErrorEvent } from './errors.ts';
import { createChatInterpreter } from './reader.ts';
import { CHAT_SEALS } from './seal.ts';
import { chatUsage } from './usage.ts';

/** OpenAI Chat Completions. */
export const chat: WireFormat = {
  name: 'chat',
  reader: (framing) => createStreamReader(framing, createChatInterpreter()),
  readWhole: (body) => readWholeAnswer(body, readAnswer, CHAT_SEALS),
  readFailure: chatFailure,
  lastSeal: (body) => lastSeal(body, CHAT_SEALS),
  writeError: (error) => writeChatError(error),
  writeErrorEvent: (error) => writeChatErrorEvent(error),
};

function readAnswer(value: unknown): WholeReading {
  const error = chatError(value);
  if (error !== null) return { kind: 'error', error };
  const answer = asObject(value);
  if (!Array.isArray(answer?.['choices'])) return { kind: 'invalid' };
  const finishReason = asText(asObject(asArray(answer['choices'])[0])?.['finish_reason']);
  return { kind: 'answer', facts: { model: asText(answer['model']), usage: chatUsage(answer['usage']), finishReason } };
}
