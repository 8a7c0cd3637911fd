import type { OwnError, Usage } from '../wire-format.ts';
import { type Fault, SILENT } from './fault.ts';
import { asCode, asCount, asObject, asText, type JsonObject } from './value.ts';

/** Reads the error object that Chat and Responses share, in all its spellings: object, bare text, `detail` (wire formats 3, 4). Null when the value holds none. */
export function openAiFault(value: unknown): Fault | null {
  const body = asObject(value);
  // vLLM writes the error's members straight into the event.
  if (body?.['object'] === 'error') return errorMembers(body);
  // As the SDKs test it: also an empty object is an error, null, false and empty text are none.
  if (!body?.['error']) return null;
  const error = asObject(body['error']);
  if (error === null) return { ...SILENT, message: asText(body['error']) };
  return errorMembers(error);
}

function errorMembers(error: JsonObject): Fault {
  return { code: asCode(error['code']), type: asText(error['type']), message: asText(error['message']), reasons: [] };
}

/** Reads a failed response's body: as `openAiFault`, and the loose shapes of compatible servers. */
export function openAiHttpFault(value: unknown): Fault {
  const body = asObject(Array.isArray(value) ? value[0] : value);
  const loose: Fault = { code: asCode(body?.['code']), type: asText(body?.['type']), message: asText(body?.['message']) ?? asText(body?.['detail']), reasons: [] };
  return openAiFault(body) ?? loose;
}

/** The error object to write; the status decides the type when the upstream's own need not be kept (wire formats 12). */
export function openAiErrorBody(error: OwnError): string {
  return JSON.stringify({ error: { message: error.message, type: error.type ?? typeOfStatus(error.status), param: null, code: error.code } });
}

function typeOfStatus(status: number): string {
  if (status >= 500) return 'server_error';
  if (status === 401) return 'authentication_error';
  if (status === 402) return 'insufficient_quota';
  if (status === 403) return 'permission_error';
  if (status === 404) return 'not_found';
  return status === 429 ? 'rate_limit_error' : 'invalid_request_error';
}

/** The names that Chat and Responses give to the same counts. */
export interface UsageNames {
  readonly input: string;
  readonly output: string;
  readonly inputDetails: string;
  readonly outputDetails: string;
}

/** Reads a usage object; null when it tells nothing. */
export function openAiUsage(value: unknown, names: UsageNames): Usage | null {
  const usage = asObject(value);
  if (usage === null) return null;
  const inputDetails = asObject(usage[names.inputDetails]);
  const read: Usage = {
    input: asCount(usage[names.input]),
    output: asCount(usage[names.output]),
    // DeepSeek has the cached tokens in a place of its own.
    cacheRead: asCount(inputDetails?.['cached_tokens']) ?? asCount(usage['prompt_cache_hit_tokens']),
    cacheWrite: asCount(inputDetails?.['cache_write_tokens']),
    reasoning: asCount(asObject(usage[names.outputDetails])?.['reasoning_tokens']),
  };
  return Object.values(read).every((count) => count === null) ? null : read;
}
