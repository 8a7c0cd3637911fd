/** A client and the lines that point it at the gateway; the words of programs, not for translation. */
export interface ClientForm {
  readonly id: string;
  readonly name: string;
  /** Base URL in the form this client wants. */
  readonly baseUrl: string;
  /** File the lines belong to; null for environment variables. */
  readonly file: string | null;
  readonly lines: readonly string[];
}

/** How known clients are pointed at `url` (`http://127.0.0.1:4653`); `key` is what stands in the place of the key. */
export function clientForms(url: string, key: string): readonly ClientForm[] {
  const v1 = `${url}/v1`;
  return [
    { id: 'claude-code', name: 'Claude Code', baseUrl: url, file: null, lines: [`ANTHROPIC_BASE_URL=${url}`, `ANTHROPIC_AUTH_TOKEN=${key}`] },
    {
      id: 'codex', name: 'Codex', baseUrl: v1, file: '~/.codex/config.toml',
      lines: ['model_provider = "holdfast"', '[model_providers.holdfast]', 'name = "Holdfast"', `base_url = "${v1}"`, 'env_key = "HOLDFAST_KEY"', 'wire_api = "responses"'],
    },
    { id: 'gemini-cli', name: 'Gemini CLI', baseUrl: url, file: null, lines: [`GOOGLE_GEMINI_BASE_URL=${url}`, `GEMINI_API_KEY=${key}`] },
    { id: 'openai-sdk', name: 'OpenAI SDK', baseUrl: v1, file: null, lines: [`OPENAI_BASE_URL=${v1}`, `OPENAI_API_KEY=${key}`] },
    { id: 'anthropic-sdk', name: 'Anthropic SDK', baseUrl: url, file: null, lines: [`ANTHROPIC_BASE_URL=${url}`, `ANTHROPIC_API_KEY=${key}`] },
  ];
}
