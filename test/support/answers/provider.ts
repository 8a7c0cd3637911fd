import type { FormatName } from '../../../shared/format.ts';
import type { Call, Script } from '../scripted-upstream.ts';

/** What a provider of one format sends, in its exact wire format; the model is the one that was asked for. */
export interface ProviderWords {
  /** Events of a stream, each complete with its empty line: what comes before anything a user could see ... */
  opening(model: string): readonly string[];
  /** ... an overload in its place ... */
  overload(): string;
  /** ... or the rest of a good answer, the text cut in two. */
  answer(model: string, text: string): readonly string[];
  /** The same answer as one whole body. */
  whole(model: string, text: string): unknown;
  /** The body of a failed request. */
  error(status: number, message: string): unknown;
  /** The code by which an overload in the stream is known. */
  readonly overloadCode: string;
}

/** What the answers say they used; cached tokens are part of the input. */
export const USAGE = { input: 31, output: 7, cached: 11 } as const;

export const OVERLOADED_TEXT = 'The service is overloaded. Please try again later.';

/** An event whose name is its type. */
export interface WireEvent { readonly type: string; readonly [field: string]: unknown }

/** Framing of one event with a name, of one without, and of Google's. */
export const named = (event: WireEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
export const bare = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`;
export const bareCrlf = (event: unknown): string => `data: ${JSON.stringify(event)}\r\n\r\n`;

/** The text in two pieces of at least one character each, so that a stream has more than one content event. */
export const inTwo = (text: string): readonly [string, string] => [text.slice(0, Math.ceil(text.length / 2)), text.slice(Math.ceil(text.length / 2))];

/** What a request asks for. */
export interface Asked { readonly format: FormatName; readonly model: string; readonly streamed: boolean }

const GEMINI = /^\/v1(?:beta)?\/models\/([^/:]+):(stream)?[gG]enerateContent/;
const BY_PATH: readonly (readonly [RegExp, FormatName])[] = [[/^\/v1\/messages$/, 'anthropic'], [/^\/v1\/chat\/completions$/, 'chat'], [/^\/v1\/responses$/, 'responses']];

/** Reads what a call asks for; null when it is no request for an answer. */
export async function askedBy(call: Call): Promise<Asked | null> {
  const path = call.target.split('?')[0] ?? '';
  const gemini = GEMINI.exec(path);
  if (gemini !== null) return { format: 'gemini', model: decodeURIComponent(gemini[1] ?? ''), streamed: gemini[2] !== undefined };
  const format = BY_PATH.find(([pattern]) => pattern.test(path))?.[1];
  if (format === undefined) return null;
  const body = JSON.parse((await call.body).toString()) as { model: string; stream?: boolean };
  return { format, model: body.model, streamed: body.stream === true };
}

/** Answers a request with a whole JSON body. */
export const json = (call: Call, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<void> =>
  call.answer(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));

/** A script that knows what was asked; a request for something else fails the test. */
export const answering = (reply: (call: Call, asked: Asked) => Promise<void>): Script => async (call) => {
  const asked = await askedBy(call);
  if (asked === null) throw new Error(`no answer is scripted for ${call.method} ${call.target}`);
  await reply(call, asked);
};
