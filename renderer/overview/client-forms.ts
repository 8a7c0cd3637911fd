/** One file, or the environment, and the lines that go into it. */
export interface ClientPart {
  /** null for environment variables. */
  readonly file: string | null;
  readonly lines: readonly string[];
}

/** A client and what points it at the gateway; the words of programs, not for translation. */
export interface ClientForm {
  readonly id: string;
  readonly name: string;
  /** Base URL in the form this client wants. */
  readonly baseUrl: string;
  readonly parts: readonly ClientPart[];
}

/** How known clients are pointed at `url` (`http://127.0.0.1:4653`); `key` is what stands in the place of the key. */
export function clientForms(url: string, key: string): readonly ClientForm[] {
  const v1 = `${url}/v1`;
  const environment = (...lines: readonly string[]): ClientPart => ({ file: null, lines });
  const google = environment(`GOOGLE_GEMINI_BASE_URL=${url}`, `GEMINI_API_KEY=${key}`);
  return [
    { id: 'claude-code', name: 'Claude Code', baseUrl: url, parts: [environment(`ANTHROPIC_BASE_URL=${url}`, `ANTHROPIC_AUTH_TOKEN=${key}`)] },
    {
      id: 'codex', name: 'Codex', baseUrl: v1,
      parts: [
        { file: '~/.codex/config.toml', lines: ['model_provider = "holdfast"', '', '[model_providers.holdfast]', 'name = "Holdfast"', `base_url = "${v1}"`, 'env_key = "HOLDFAST_KEY"', 'wire_api = "responses"'] },
        environment(`HOLDFAST_KEY=${key}`),
      ],
    },
    {
      id: 'gemini-cli', name: 'Gemini CLI', baseUrl: url,
      // Without its choice of a key as the way in, it refuses to start.
      parts: [google, { file: '~/.gemini/settings.json', lines: ['{ "security": { "auth": { "selectedType": "gemini-api-key" } } }'] }],
    },
    { id: 'openai-sdk', name: 'OpenAI SDK', baseUrl: v1, parts: [environment(`OPENAI_BASE_URL=${v1}`, `OPENAI_API_KEY=${key}`)] },
    { id: 'anthropic-sdk', name: 'Anthropic SDK', baseUrl: url, parts: [environment(`ANTHROPIC_BASE_URL=${url}`, `ANTHROPIC_API_KEY=${key}`)] },
    { id: 'google-sdk', name: 'Google SDK', baseUrl: url, parts: [google] },
  ];
}
