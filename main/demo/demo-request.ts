import type { FormatName } from '../../shared/format.ts';

/** What a request to the demo asks for. */
export type DemoRequest =
  | { readonly kind: 'generate'; readonly format: FormatName; readonly model: string; readonly streamed: boolean; /** A JSON array instead of server-sent events. */ readonly array: boolean; readonly usageChunk: boolean }
  | { readonly kind: 'count_tokens'; readonly format: FormatName }
  | { readonly kind: 'models' }
  | { readonly kind: 'unknown' };

const PATHS: Readonly<Record<string, FormatName>> = { '/v1/messages': 'anthropic', '/v1/chat/completions': 'chat', '/v1/responses': 'responses' };

/** Recognises a request by its path and body; a body that is no JSON asks for no model. */
export function readDemoRequest(target: string, body: string): DemoRequest {
  const url = new URL(target, 'http://demo.invalid');
  const gemini = /^\/v1(?:beta)?\/models\/(.+):(generateContent|streamGenerateContent|countTokens)$/.exec(url.pathname);
  if (gemini !== null) return readGemini(url, decodeURIComponent(gemini[1] ?? ''), gemini[2] ?? '');
  if (url.pathname === '/v1/messages/count_tokens') return { kind: 'count_tokens', format: 'anthropic' };
  if (/^\/v1(beta)?\/models$/.test(url.pathname)) return { kind: 'models' };
  const format = PATHS[url.pathname];
  if (format === undefined) return { kind: 'unknown' };
  const asked = parse(body);
  return {
    kind: 'generate', format, model: typeof asked['model'] === 'string' ? asked['model'] : '', streamed: asked['stream'] === true, array: false,
    usageChunk: (asked['stream_options'] as { include_usage?: unknown } | undefined)?.include_usage === true,
  };
}

function readGemini(url: URL, model: string, method: string): DemoRequest {
  if (method === 'countTokens') return { kind: 'count_tokens', format: 'gemini' };
  const streamed = method === 'streamGenerateContent';
  return { kind: 'generate', format: 'gemini', model, streamed, array: streamed && url.searchParams.get('alt') !== 'sse', usageChunk: false };
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
