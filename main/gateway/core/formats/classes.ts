import type { FailureClass } from '../../../../shared/failure.ts';

/**
 * What the codes and types of errors mean. They are disjoint between the formats and turn up in foreign ones (a Chat server in front of Anthropic), so there is one table.
 *
 * SPEC 4 decides where it differs from the table it was made from (wire formats 9): `invalid_encrypted_content` and `invalid_image*` fail over (`policy`) in a stream;
 * as a status they are a fault of the request like every other policy code. `other` there is `server` here, so in-stream timeouts that are not listed are `server`.
 */
const CLASS_OF_CODE: ReadonlyMap<string, FailureClass> = new Map<string, FailureClass>([
  ...each('quota', [
    'insufficient_quota', 'credit_balance_exhausted', 'organization_spend_limit_exceeded', 'project_spend_limit_exceeded', 'organization_usage_limit_exceeded',
    'usage_limit_reached', 'usage_not_included', 'billing_hard_limit_reached',
    'billing_error', 'enforced_spend_limit_reached', 'contract_spend_limit_reached', 'linked_organization_billing_unavailable', 'linked_organization_spend_limit_reached',
    'QUOTA_EXHAUSTED', 'INSUFFICIENT_G1_CREDITS_BALANCE',
  ]),
  ...each('policy', [
    'content_filter', 'content_policy_violation', 'invalid_prompt', 'cyber_policy', 'bio_policy', 'image_content_policy_violation', 'unsupported_country_region_territory',
    'FAILED_PRECONDITION', 'invalid_encrypted_content', 'invalid_image', 'invalid_image_format', 'invalid_image_url', 'invalid_image_mode',
  ]),
  ...each('transient', ['server_error', 'api_error', 'overloaded_error', 'server_is_overloaded', 'slow_down', 'UNAVAILABLE', 'INTERNAL']),
  ...each('request', [
    'invalid_request_error', 'context_length_exceeded', 'previous_response_not_found', 'request_too_large', 'INVALID_ARGUMENT',
    'invalid_base64_image', 'image_too_large', 'image_too_small', 'image_parse_error', 'image_file_too_large', 'unsupported_image_media_type', 'empty_image_file',
    'failed_to_download_image', 'image_file_not_found',
  ]),
  ...each('rate_limited', ['rate_limit_error', 'rate_limit_exceeded', 'RESOURCE_EXHAUSTED', '429']),
  ...each('auth', ['authentication_error', 'permission_error', 'invalid_api_key', 'UNAUTHENTICATED', 'PERMISSION_DENIED', 'API_KEY_INVALID']),
  ...each('model_missing', ['not_found_error', 'model_not_found', 'NOT_FOUND']),
]);

function each(to: FailureClass, codes: readonly string[]): readonly (readonly [string, FailureClass])[] {
  return codes.map((code) => [code, to]);
}

/** The class a code or type stands for in a stream (SPEC 4.3); null when it is none we know. */
export function classOfCode(code: string | null): FailureClass | null {
  return code === null ? null : (CLASS_OF_CODE.get(code) ?? null);
}

const STATUS_OF_CODE: ReadonlyMap<string, number> = new Map([
  ['server_error', 500], ['api_error', 500], ['INTERNAL', 500],
  ['overloaded_error', 529],
  ['server_is_overloaded', 503], ['slow_down', 503], ['UNAVAILABLE', 503],
  ['timeout_error', 504], ['vector_store_timeout', 504], ['DEADLINE_EXCEEDED', 504],
]);

/** The HTTP status that stands for an in-stream error, by the code or type that decided its class (SPEC 4.8); `limited` when any of them is that of a rate limit. */
export function statusOfCode(decider: string | null, errorClass: FailureClass, limited: boolean): number {
  if (errorClass === 'rate_limited' || (errorClass === 'quota' && limited)) return 429;
  return (decider === null ? undefined : STATUS_OF_CODE.get(decider)) ?? 502;
}

/**
 * Words that say the money or the quota is gone, at any status (SPEC 4.2). The bare word "quota" must not match, nor "You exceeded your current quota": Gemini says
 * that of limits per minute. Chinese providers answer in Chinese.
 */
const USED_UP = new RegExp([
  'credit balance is too low', 'insufficient (?:account )?(?:balance|funds|credits?)\\b', '(?:out of|no(?: more| remaining)?) credits\\b',
  'credits? (?:is|are|has been|have been)? ?(?:depleted|exhausted|used up)', 'balance (?:is |has been )?(?:depleted|exhausted|used up|empty)',
  '(?:daily|weekly|monthly) quota [^.]{0,40}(?:exceeded|exhausted|used up|reached)', 'quota (?:is |has been )?(?:exhausted|used up|depleted)',
  '余额不足', '(?:额度|配额)(?:已)?(?:用尽|用完|耗尽)', '欠费',
].join('|'), 'i');

/** Whether a message says that balance or quota is used up. */
export function saysUsedUp(message: string): boolean {
  return USED_UP.test(message);
}

const MODEL_MISSING = /\bmodel\b[^.\n]{0,120}?\b(?:not found|does(?: not|n't) exist|not exist)\b|\b(?:unknown|no such|invalid) model(?: name| id)?\s*[:'"`]/i;

/** Whether the message of a 400 or 422 says that there is no such model (SPEC 4.1). */
export function saysModelMissing(message: string): boolean {
  return MODEL_MISSING.test(message);
}
