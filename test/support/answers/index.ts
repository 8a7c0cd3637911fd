import type { FormatName } from '../../../shared/format.ts';
import type { Script } from '../scripted-upstream.ts';
import { anthropicWords } from './anthropic.ts';
import { chatWords } from './chat.ts';
import { geminiWords } from './gemini.ts';
import { answering, json, OVERLOADED_TEXT, type ProviderWords } from './provider.ts';
import { responsesWords } from './responses.ts';

export const wordsOf: Readonly<Record<FormatName, ProviderWords>> = { anthropic: anthropicWords, chat: chatWords, responses: responsesWords, gemini: geminiWords };

const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8' } as const;

/** The request fails with this status, in the words of its format. */
export const failsWith = (status: number, headers: Readonly<Record<string, string>> = {}): Script =>
  answering((call, { format }) => json(call, status, wordsOf[format].error(status, OVERLOADED_TEXT), headers));

/** A stream whose opening is followed by an overload, after `meanwhile`. */
export const overloadsInStream = (meanwhile: () => Promise<void> = () => Promise.resolve()): Script => answering(async (call, { format, model }) => {
  const words = wordsOf[format];
  await call.head(200, EVENTS);
  for (const event of words.opening(model)) await call.write(event);
  await meanwhile();
  await call.write(words.overload());
  await call.end();
});

/** A stream that breaks in the middle of this text: half of it has been sent. */
export const breaksWithin = (text: string): Script => answering(async (call, { format, model }) => {
  const words = wordsOf[format];
  await call.head(200, EVENTS);
  for (const event of [...words.opening(model), words.answer(model, text)[0]!]) await call.write(event);
  call.reset();
});

/** A good answer with this text, streamed or whole as it was asked for, after `meanwhile` (a stream has sent its opening then). */
export const answersWith = (text: string, meanwhile: () => Promise<void> = () => Promise.resolve()): Script => answering(async (call, { format, model, streamed }) => {
  const words = wordsOf[format];
  if (!streamed) {
    await meanwhile();
    return json(call, 200, words.whole(model, text));
  }
  await call.head(200, EVENTS);
  for (const event of words.opening(model)) await call.write(event);
  await meanwhile();
  for (const event of words.answer(model, text)) await call.write(event);
  await call.end();
});
