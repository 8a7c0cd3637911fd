import type { FormatName } from '../../../shared/format.ts';
import type { Framing } from '../core/wire-format.ts';
import type { Operation } from '../ports.ts';
import { decoded, queryValue } from './request-target.ts';

/** A request that goes to an upstream. */
export interface ExchangePath {
  readonly kind: 'exchange';
  readonly format: FormatName;
  readonly operation: Operation;
  readonly framing: Framing;
  /** What the path says of streaming (Gemini); null: the body does. */
  readonly streamed: boolean | null;
  /** Path for the upstream: what stands before and after the model; without a model in it all stands before. */
  readonly before: string;
  readonly after: string;
  /** The model in the path as the client wrote it, and decoded. */
  readonly model: { readonly raw: string; readonly name: string } | null;
}

/** What a path is (SPEC 1.2). */
export type PathMeaning =
  | ExchangePath
  | { readonly kind: 'models'; readonly shape: 'gemini' | 'by_headers'; readonly id: string | null }
  | { readonly kind: 'health' | 'warm_up' | 'metrics' }
  | { readonly kind: 'unknown' };

/** A path's meaning and the methods that it takes. */
export interface KnownPath { readonly meaning: PathMeaning; readonly methods: readonly string[] }

/** The paths of SPEC 1.2 in words, for the message of a 404. */
export const EXISTING_PATHS =
  'POST /v1/messages, /v1/messages/count_tokens, /v1/chat/completions, /v1/responses, /v1/embeddings, /v1beta/models/{model}:generateContent, '
  + '/v1beta/models/{model}:streamGenerateContent, /v1beta/models/{model}:countTokens; GET /v1/models, /v1beta/models, /healthz';

const POST = ['POST'];
const READ = ['GET', 'HEAD'];
const ANY = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const GEMINI_CALL = /^\/models\/(.+):(generateContent|streamGenerateContent|countTokens|embedContent)$/;
// Could turn into another path on the way, also where an upstream decodes what divides it.
const DOT_SEGMENT = /(?:^|\/|\\|%2f|%5c)(?:\.|%2e){1,2}(?:\/|\\|%2f|%5c|$)/i;
const UNKNOWN: KnownPath = { meaning: { kind: 'unknown' }, methods: [] };

/** Looks a path up; near-misses are not guessed (SPEC 1.2). Path without key prefix and trailing slashes, raw query. */
export function recognise(path: string, query: string): KnownPath {
  if (path === '/healthz') return { meaning: { kind: 'health' }, methods: READ };
  if (path === '/metrics') return { meaning: { kind: 'metrics' }, methods: READ };
  if (path === '/api/hello') return { meaning: { kind: 'warm_up' }, methods: READ };
  if (path === '/') return { meaning: { kind: 'warm_up' }, methods: ['HEAD'] };
  const beta = path.startsWith('/v1beta/');
  const versioned = beta || path.startsWith('/v1/');
  const rest = beta ? path.slice('/v1beta'.length) : path.replace(/^\/v1(\/v1)?(?=\/)/, '');
  const model = versioned ? geminiCall(beta ? '/v1beta' : '/v1', rest, query) : null;
  if (model !== null) return { meaning: model, methods: POST };
  const listing = /^\/models(?:\/(.+))?$/.exec(rest);
  if (listing !== null) return modelListing(listing[1] ?? null, beta);
  return beta ? UNKNOWN : openAiOrAnthropic(rest);
}

function openAiOrAnthropic(rest: string): KnownPath {
  switch (rest) {
    case '/messages': return { meaning: exchange('anthropic', 'generate', rest), methods: POST };
    case '/messages/count_tokens': return { meaning: exchange('anthropic', 'count_tokens', rest), methods: POST };
    case '/chat/completions': return { meaning: exchange('chat', 'generate', rest), methods: POST };
    case '/responses': return { meaning: exchange('responses', 'generate', rest), methods: POST };
    case '/embeddings': return { meaning: exchange('chat', 'forward', rest), methods: POST };
    default: break;
  }
  const forwarded = /^\/(responses\/|batches(?:\/|$)|files(?:\/|$))/.exec(rest);
  if (forwarded === null || DOT_SEGMENT.test(rest)) return UNKNOWN;
  return { meaning: exchange(forwarded[1] === 'responses/' ? 'responses' : 'chat', 'forward', rest), methods: ANY };
}

function exchange(format: FormatName, operation: Operation, rest: string): ExchangePath {
  return { kind: 'exchange', format, operation, framing: 'sse', streamed: operation === 'count_tokens' ? false : null, before: `/v1${rest}`, after: '', model: null };
}

function geminiCall(version: string, rest: string, query: string): ExchangePath | null {
  const call = GEMINI_CALL.exec(rest);
  const raw = call?.[1];
  const name = raw === undefined ? null : decoded(raw);
  if (call === null || raw === undefined || name === null || DOT_SEGMENT.test(rest)) return null;
  const method = call[2] ?? '';
  const streamed = method === 'streamGenerateContent';
  return {
    kind: 'exchange',
    format: 'gemini',
    operation: method === 'countTokens' ? 'count_tokens' : method === 'embedContent' ? 'forward' : 'generate',
    framing: streamed && queryValue(query, 'alt') !== 'sse' ? 'json_array' : 'sse',
    streamed,
    before: `${version}/models/`,
    after: `:${method}`,
    model: { raw, name },
  };
}

function modelListing(raw: string | null, beta: boolean): KnownPath {
  const id = raw === null ? null : decoded(raw);
  // A call of Gemini without its version is a near-miss, not the name of a model.
  if (raw !== null && (id === null || GEMINI_CALL.test(`/models/${raw}`))) return UNKNOWN;
  return { meaning: { kind: 'models', shape: beta ? 'gemini' : 'by_headers', id }, methods: READ };
}
