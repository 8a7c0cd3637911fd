import type { FormatName } from '../../shared/format.ts';
import type { UpstreamPreset } from '../../shared/upstream.ts';

/** What a preset fills in; empty `baseUrl` where only the user knows it. */
export interface PresetForm {
  readonly id: Exclude<UpstreamPreset, 'demo'>;
  /** Name of the provider, not for translation; null for the generic one. */
  readonly name: string | null;
  readonly baseUrl: string;
  readonly formats: readonly FormatName[];
  /** False where the provider runs on this machine and wants no key. */
  readonly wantsKey: boolean;
}

/** The presets a new upstream can start from, most used first. */
export const PRESET_FORMS: readonly PresetForm[] = [
  { id: 'anthropic', name: 'Anthropic', baseUrl: 'https://api.anthropic.com', formats: ['anthropic'], wantsKey: true },
  { id: 'openai', name: 'OpenAI', baseUrl: 'https://api.openai.com', formats: ['responses', 'chat'], wantsKey: true },
  { id: 'gemini', name: 'Google Gemini', baseUrl: 'https://generativelanguage.googleapis.com', formats: ['gemini'], wantsKey: true },
  { id: 'openrouter', name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api', formats: ['chat'], wantsKey: true },
  { id: 'deepseek', name: 'DeepSeek', baseUrl: 'https://api.deepseek.com', formats: ['chat'], wantsKey: true },
  { id: 'mistral', name: 'Mistral', baseUrl: 'https://api.mistral.ai', formats: ['chat'], wantsKey: true },
  { id: 'groq', name: 'Groq', baseUrl: 'https://api.groq.com/openai', formats: ['chat'], wantsKey: true },
  { id: 'azure_openai', name: 'Azure OpenAI', baseUrl: '', formats: ['chat', 'responses'], wantsKey: true },
  { id: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434', formats: ['chat'], wantsKey: false },
  { id: 'lm_studio', name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234', formats: ['chat'], wantsKey: false },
  { id: 'llama_cpp', name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080', formats: ['chat'], wantsKey: false },
  { id: 'vllm', name: 'vLLM', baseUrl: 'http://127.0.0.1:8000', formats: ['chat'], wantsKey: false },
  { id: 'generic', name: null, baseUrl: '', formats: ['chat'], wantsKey: true },
];

/** The form of a preset; the generic one for an id that is not known. */
export function presetForm(id: string): PresetForm {
  return PRESET_FORMS.find((one) => one.id === id) ?? (PRESET_FORMS[PRESET_FORMS.length - 1] as PresetForm);
}
