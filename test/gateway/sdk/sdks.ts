import Anthropic, { APIError as AnthropicError } from '@anthropic-ai/sdk';
import { ApiError as GoogleError, GoogleGenAI } from '@google/genai';
import OpenAI, { APIError as OpenAiError } from 'openai';
import { vi } from 'vitest';
import type { FormatName } from '../../../shared/format.ts';
import { setUpFromReadme } from '../../support/readme.ts';

/** What a program sees of an answer: its text, how often a message began, and the usage it would be billed by. */
export interface Seen { readonly text: string; readonly begun: number; readonly usage: { readonly input: number; readonly output: number; readonly cached: number } }

/** One official SDK, used for one format as its documentation shows. */
export interface Sdk {
  readonly format: FormatName;
  /** Section of README.md that says how it is set up. */
  readonly heading: string;
  readonly error: new (...given: never[]) => Error & { readonly status?: number | undefined };
  whole(options: SdkOptions): Promise<Seen>;
  streamed(options: SdkOptions): Promise<Seen>;
}
export interface SdkOptions {
  /** How often the SDK may send the request again by itself; its own default when not given. */
  readonly maxRetries?: number;
  readonly fetch?: typeof fetch;
}

const MODEL = 'm-test';
const TASK = 'Say where the ships are.';
const messages: { role: 'user'; content: string }[] = [{ role: 'user', content: TASK }];

/** The environment of a user who follows README.md, and nothing of whoever runs the tests. */
export function setUpSdk({ heading }: Sdk, gateway: { readonly url: string; readonly key: string }): void {
  for (const name of Object.keys(process.env)) if (/^(OPENAI|ANTHROPIC|GOOGLE|GEMINI)_/.test(name)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(setUpFromReadme(heading, gateway.url, gateway.key).env)) vi.stubEnv(name, value);
}

/** Puts the pieces of a stream together. */
async function collect<T>(events: AsyncIterable<T>, look: (event: T) => { readonly text?: string | null | undefined; readonly begins?: boolean; readonly usage?: Seen['usage'] | undefined }): Promise<Seen> {
  let seen: Seen = { text: '', begun: 0, usage: { input: -1, output: -1, cached: -1 } };
  for await (const event of events) {
    const { text, begins, usage } = look(event);
    seen = { text: seen.text + (text ?? ''), begun: seen.begun + (begins === true ? 1 : 0), usage: usage ?? seen.usage };
  }
  return seen;
}

const chatUsage = (usage: OpenAI.CompletionUsage): Seen['usage'] => ({ input: usage.prompt_tokens, output: usage.completion_tokens, cached: usage.prompt_tokens_details?.cached_tokens ?? -1 });
const chat: Sdk = {
  format: 'chat', heading: 'OpenAI SDK', error: OpenAiError,
  async whole(options) {
    const answer = await new OpenAI(options).chat.completions.create({ model: MODEL, messages });
    return { text: answer.choices[0]?.message.content ?? '', begun: answer.choices.length, usage: chatUsage(answer.usage!) };
  },
  async streamed(options) {
    const stream = await new OpenAI(options).chat.completions.create({ model: MODEL, messages, stream: true, stream_options: { include_usage: true } });
    return collect(stream, ({ choices: [choice], usage }) => ({ text: choice?.delta.content, begins: choice?.delta.role !== undefined, usage: usage ? chatUsage(usage) : undefined }));
  },
};

const responsesUsage = (usage: OpenAI.Responses.ResponseUsage): Seen['usage'] => ({ input: usage.input_tokens, output: usage.output_tokens, cached: usage.input_tokens_details.cached_tokens });
const responses: Sdk = {
  format: 'responses', heading: 'OpenAI SDK', error: OpenAiError,
  async whole(options) {
    const answer = await new OpenAI(options).responses.create({ model: MODEL, input: TASK });
    return { text: answer.output_text, begun: answer.output.length, usage: responsesUsage(answer.usage!) };
  },
  async streamed(options) {
    const stream = await new OpenAI(options).responses.create({ model: MODEL, input: TASK, stream: true });
    return collect(stream, (event) => ({
      text: event.type === 'response.output_text.delta' ? event.delta : '',
      begins: event.type === 'response.created',
      usage: event.type === 'response.completed' ? responsesUsage(event.response.usage!) : undefined,
    }));
  },
};

/** Anthropic counts cached tokens beside the input. */
const anthropicUsage = (usage: Anthropic.Usage): Seen['usage'] => ({ input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0), output: usage.output_tokens, cached: usage.cache_read_input_tokens ?? -1 });
const anthropic: Sdk = {
  format: 'anthropic', heading: 'Anthropic SDK', error: AnthropicError,
  async whole(options) {
    const answer = await new Anthropic(options).messages.create({ model: MODEL, max_tokens: 64, messages });
    return { text: answer.content.map((block) => (block.type === 'text' ? block.text : '')).join(''), begun: answer.content.length, usage: anthropicUsage(answer.usage) };
  },
  async streamed(options) {
    const stream = new Anthropic(options).messages.stream({ model: MODEL, max_tokens: 64, messages });
    const seen = await collect(stream, (event) => ({ text: event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : '', begins: event.type === 'message_start' }));
    return { ...seen, usage: anthropicUsage((await stream.finalMessage()).usage) };
  },
};

/** This SDK sends nothing again unless it is told to. */
const google: Sdk = {
  format: 'gemini', heading: 'Google Gen AI SDK', error: GoogleError,
  async whole() {
    const { text, candidates, usageMetadata: usage } = await new GoogleGenAI({}).models.generateContent({ model: MODEL, contents: TASK });
    return { text: text ?? '', begun: candidates?.length ?? 0, usage: { input: usage?.promptTokenCount ?? -1, output: usage?.candidatesTokenCount ?? -1, cached: usage?.cachedContentTokenCount ?? -1 } };
  },
  async streamed() {
    const stream = await new GoogleGenAI({}).models.generateContentStream({ model: MODEL, contents: TASK });
    // Nothing marks the beginning here, so the end is counted.
    return collect(stream, ({ text, candidates, usageMetadata: usage }) => ({
      text,
      begins: candidates?.[0]?.finishReason !== undefined,
      usage: usage?.candidatesTokenCount === undefined ? undefined : { input: usage.promptTokenCount ?? -1, output: usage.candidatesTokenCount, cached: usage.cachedContentTokenCount ?? -1 },
    }));
  },
};

export const SDKS: readonly Sdk[] = [anthropic, chat, responses, google];
