import type { FormatName } from './format.ts';
import type { UpstreamPreset } from './upstream.ts';

/** How a key is sent: the header it stands in; `authorization` has `Bearer ` before it. */
export type KeyHeader = 'authorization' | 'x-api-key' | 'x-goog-api-key' | 'api-key';

/** What is known of a provider, for the editor and for the edge. */
export interface PresetFacts {
  readonly id: Exclude<UpstreamPreset, 'demo'>;
  /** Name of the provider, not for translation; null for the generic one. */
  readonly name: string | null;
  /** As it is saved; empty where only the user knows it. */
  readonly baseUrl: string;
  /** What an address looks like there, for an empty field; null where `baseUrl` is known. */
  readonly example: string | null;
  /** Formats a new upstream starts with. */
  readonly formats: readonly FormatName[];
  /** Further ones that the provider speaks at the same address, some of them only in newer versions. */
  readonly alsoSpeaks: readonly FormatName[];
  /** False where the provider runs on this machine and wants no key. */
  readonly wantsKey: boolean;
  /** Where it differs from `KEY_HEADERS`. */
  readonly keyHeaders: Partial<Readonly<Record<FormatName, KeyHeader>>>;
  /** What only a right key can read, where anybody can read the model list; null where that does. */
  readonly keyCheck: string | null;
}

/** The header of a key by format, unless the preset says otherwise. */
const KEY_HEADERS: Readonly<Record<FormatName, KeyHeader>> = { anthropic: 'x-api-key', chat: 'authorization', responses: 'authorization', gemini: 'x-goog-api-key' };

const preset = (id: PresetFacts['id'], name: string | null, baseUrl: string, formats: readonly FormatName[], more: Partial<PresetFacts> = {}): PresetFacts =>
  ({ id, name, baseUrl, formats, alsoSpeaks: [], example: null, wantsKey: true, keyHeaders: {}, keyCheck: null, ...more });

// Their Anthropic endpoints stand beside the OpenAI ones and want the key as those do.
const BEARER_FOR_ALL = { anthropic: 'authorization' } as const;
const ON_THIS_MACHINE = { wantsKey: false, alsoSpeaks: ['responses', 'anthropic'], keyHeaders: BEARER_FOR_ALL } as const satisfies Partial<PresetFacts>;

/** The presets a new upstream can start from, most used first (SPEC 2.1). */
export const PRESETS: readonly PresetFacts[] = [
  preset('anthropic', 'Anthropic', 'https://api.anthropic.com', ['anthropic']),
  preset('openai', 'OpenAI', 'https://api.openai.com', ['responses', 'chat']),
  preset('gemini', 'Google Gemini', 'https://generativelanguage.googleapis.com', ['gemini']),
  preset('openrouter', 'OpenRouter', 'https://openrouter.ai/api', ['chat'], { alsoSpeaks: ['anthropic', 'responses'], keyHeaders: BEARER_FOR_ALL, keyCheck: '/v1/key' }),
  preset('deepseek', 'DeepSeek', 'https://api.deepseek.com', ['chat']),
  preset('mistral', 'Mistral', 'https://api.mistral.ai', ['chat']),
  preset('groq', 'Groq', 'https://api.groq.com/openai', ['chat'], { alsoSpeaks: ['responses'] }),
  preset('azure_openai', 'Azure OpenAI', '', ['chat', 'responses'], { example: 'https://my-resource.openai.azure.com', keyHeaders: { chat: 'api-key', responses: 'api-key' } }),
  preset('ollama', 'Ollama', 'http://127.0.0.1:11434', ['chat'], ON_THIS_MACHINE),
  preset('lm_studio', 'LM Studio', 'http://127.0.0.1:1234', ['chat'], ON_THIS_MACHINE),
  preset('llama_cpp', 'llama.cpp', 'http://127.0.0.1:8080', ['chat'], ON_THIS_MACHINE),
  preset('vllm', 'vLLM', 'http://127.0.0.1:8000', ['chat'], ON_THIS_MACHINE),
  preset('generic', null, '', ['chat'], { example: 'https://llm.example.com/v1', alsoSpeaks: ['anthropic', 'responses', 'gemini'] }),
];

/** The facts of a preset; undefined for the demo, which nobody configures. */
export function presetFacts(id: UpstreamPreset): PresetFacts | undefined {
  return PRESETS.find((one) => one.id === id);
}

/** The header that carries the key of an upstream when it is asked in this format. */
export function keyHeader(id: UpstreamPreset, format: FormatName): KeyHeader {
  return presetFacts(id)?.keyHeaders[format] ?? KEY_HEADERS[format];
}
