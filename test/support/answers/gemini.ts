import { bareCrlf, inTwo, OVERLOADED_TEXT, USAGE, type ProviderWords } from './provider.ts';

const usage = { promptTokenCount: USAGE.input, cachedContentTokenCount: USAGE.cached, candidatesTokenCount: USAGE.output, totalTokenCount: USAGE.input + USAGE.output };

const chunk = (model: string, text: string, more: object = {}, rest: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }], modelVersion: model, responseId: 'scripted', ...rest,
});

const STATUSES: Readonly<Record<number, string>> = { 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED', 500: 'INTERNAL', 503: 'UNAVAILABLE' };

const error = (code: number, message: string): object => ({ error: { code, message, status: STATUSES[code] ?? 'UNKNOWN' } });

export const geminiWords: ProviderWords = {
  opening: (model) => [bareCrlf(chunk(model, '', {}, { usageMetadata: { promptTokenCount: USAGE.input, totalTokenCount: USAGE.input } }))],
  overload: () => bareCrlf(error(503, OVERLOADED_TEXT)),
  overloadCode: 'UNAVAILABLE',
  answer: (model, text) => [...inTwo(text).map((piece) => bareCrlf(chunk(model, piece))), bareCrlf(chunk(model, '', { finishReason: 'STOP' }, { usageMetadata: usage }))],
  whole: (model, text) => chunk(model, text, { finishReason: 'STOP' }, { usageMetadata: usage }),
  error,
};
