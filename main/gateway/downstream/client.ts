import type { IncomingHttpHeaders } from 'node:http';
import { maskSecrets } from '../../../shared/mask.ts';

/** What a request tells of the program behind it. */
export interface ClientFacts {
  /** `Claude Code`, `Codex`, ...; of an unknown program the first product token; null without a user agent. */
  readonly name: string | null;
  /** Codex waits for events, not bytes (SPEC 6.3). */
  readonly codex: boolean;
  readonly sessionId: string | null;
  /** How often the client has sent this request before, by its own count. */
  readonly retry: number | null;
}

// The first match decides: programs before the SDKs that they are built on.
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^claude-cli\/|^claude-code\//i, 'Claude Code'],
  [/^codex/i, 'Codex'],
  [/gemini-?cli/i, 'Gemini CLI'],
  [/opencode/i, 'opencode'],
  [/roo-?code/i, 'Roo Code'],
  [/\bkilo-?code/i, 'Kilo Code'],
  [/\bcline\b/i, 'Cline'],
  [/\bcontinue\b/i, 'Continue'],
  [/^zed\b/i, 'Zed'],
  [/\baider\b/i, 'Aider'],
  [/\bcursor\b/i, 'Cursor'],
  [/litellm/i, 'LiteLLM'],
  [/^(?:async)?openai\//i, 'OpenAI SDK'],
  [/^(?:async)?anthropic\//i, 'Anthropic SDK'],
  [/google-genai-sdk/i, 'Google GenAI SDK'],
  [/\bai-sdk\b/i, 'AI SDK'],
  [/^curl\//i, 'curl'],
];

const SESSION_HEADERS = ['x-claude-code-session-id', 'session_id', 'session-id', 'conversation_id', 'x-session-affinity', 'x-opencode-session'];

/** Reads the client's name, session (SPEC 9.5) and own retry count from its headers. */
export function clientFacts(headers: IncomingHttpHeaders): ClientFacts {
  const agent = headers['user-agent']?.trim() ?? '';
  const originator = one(headers, 'originator') ?? '';
  const codex = /^codex/i.test(agent) || /^codex/i.test(originator);
  const session = SESSION_HEADERS.map((name) => one(headers, name)).find((value) => value !== undefined);
  const retry = one(headers, 'x-stainless-retry-count');
  return {
    name: codex ? 'Codex' : nameOf(agent),
    codex,
    sessionId: session?.slice(0, 256) ?? null,
    retry: retry !== undefined && /^\d{1,4}$/.test(retry) ? Number(retry) : null,
  };
}

function nameOf(agent: string): string | null {
  const known = NAMES.find(([pattern]) => pattern.test(agent));
  if (known !== undefined) return known[1];
  const token = /^[^\s/()]+/.exec(agent)?.[0];
  return token === undefined ? null : maskSecrets(token.slice(0, 256)).slice(0, 64);
}

function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text === '' ? undefined : text;
}
