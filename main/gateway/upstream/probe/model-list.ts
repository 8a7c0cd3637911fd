import { parseJson } from '../../../../shared/json.ts';
import type { FormatName } from '../../../../shared/format.ts';
import type { Upstream } from '../../../../shared/upstream.ts';

/** A page of a provider's model list. */
export interface ModelPage {
  readonly models: readonly string[];
  /** Query to ask for the next page with; null on the last. */
  readonly next: string | null;
}

export type ModelPageReading = { readonly kind: 'page'; readonly page: ModelPage } | { readonly kind: 'not_json' | 'wrong_shape' };

/** The format in which an upstream is asked for its list. */
export function listFormat({ preset, formats }: Upstream): FormatName {
  if (preset === 'anthropic' || preset === 'gemini') return preset;
  const order: readonly FormatName[] = ['chat', 'responses', 'anthropic', 'gemini'];
  return order.find((format) => formats.includes(format)) ?? 'chat';
}

/** The target of a list; `query` is that of a further page, null for the first. */
export function listTarget(format: FormatName, query: string | null): string {
  switch (format) {
    case 'anthropic': return `/v1/models?limit=1000${query === null ? '' : `&${query}`}`;
    case 'gemini': return `/v1beta/models?pageSize=1000${query === null ? '' : `&${query}`}`;
    case 'chat': case 'responses': return `/v1/models${query === null ? '' : `?${query}`}`;
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a list in the shapes of Anthropic and OpenAI (`data` of `id`), Gemini (`models` of `name`), Ollama, and those that send a bare list. */
export function readModelPage(body: Uint8Array): ModelPageReading {
  const value = parseJson(new TextDecoder().decode(body));
  if (value === undefined) return { kind: 'not_json' };
  const holder: JsonObject = isObject(value) ? value : {};
  const list: unknown = Array.isArray(value) ? value : holder['data'] ?? holder['models'];
  if (!Array.isArray(list)) return { kind: 'wrong_shape' };
  const models = list.flatMap((entry: unknown) => {
    const name = isObject(entry) ? entry['id'] ?? entry['name'] : entry;
    return typeof name === 'string' && name !== '' && generates(entry) ? [name.replace(/^models\//, '')] : [];
  });
  if (models.length === 0 && list.length > 0 && !list.some(isObject)) return { kind: 'wrong_shape' };
  return { kind: 'page', page: { models: [...new Set(models)], next: nextQuery(holder) } };
}

// Gemini lists what only embeds beside what answers.
function generates(entry: unknown): boolean {
  const methods = isObject(entry) ? entry['supportedGenerationMethods'] : undefined;
  return !Array.isArray(methods) || methods.includes('generateContent');
}

function nextQuery(holder: JsonObject): string | null {
  const { has_more: hasMore, last_id: lastId, nextPageToken } = holder;
  if (hasMore === true && typeof lastId === 'string') return `after_id=${encodeURIComponent(lastId)}`;
  return typeof nextPageToken === 'string' && nextPageToken !== '' ? `pageToken=${encodeURIComponent(nextPageToken)}` : null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
