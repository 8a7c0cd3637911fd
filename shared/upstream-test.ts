import type { UpstreamDraft } from './upstream-edits.ts';

/** The steps of a test, in order (SPEC 2.7). `proxy` only counts where one is used; DNS and TCP then lead to it. Closed: also i18n keys under `test.step`. */
export const TEST_STEPS = ['dns', 'tcp', 'proxy', 'tls', 'auth', 'models'] as const;
export type TestStepName = (typeof TEST_STEPS)[number];

/** Why a step failed, or was passed by. Closed: also i18n keys under `test.reason`. */
export const TEST_REASONS = [
  // Before anything is sent.
  'draft_invalid', 'address_invalid', 'address_self', 'proxy_invalid', 'credential_missing', 'credential_sealed', 'credential_env_missing',
  // On the way.
  'dns_not_found', 'dns_failed', 'refused', 'unreachable', 'reset', 'timed_out', 'connect_failed', 'proxy_refused', 'proxy_login', 'proxy_failed',
  'certificate_expired', 'certificate_host', 'certificate_untrusted', 'tls_protocol', 'tls_failed',
  // What the upstream said.
  'key_rejected', 'forbidden', 'no_balance', 'rate_limited', 'upstream_error', 'redirect', 'not_http', 'closed', 'no_list', 'not_json', 'wrong_shape', 'empty_list', 'too_large',
  // Passed by.
  'not_needed', 'not_reached', 'client_credential', 'no_key_asked',
] as const;
export type TestReason = (typeof TEST_REASONS)[number];

/** One step of a test. `passed` with a reason is a remark; `skipped` was not needed or not reached. */
export interface TestStep {
  readonly step: TestStepName;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Ms, 0 or more, one decimal; null when it was skipped. */
  readonly tookMs: number | null;
  readonly reason: TestReason | null;
  /** Quoted words of the system or the upstream, masked, at most 300 characters; status of the answer included. */
  readonly detail: string | null;
  readonly status: number | null;
}

/** A finished test. */
export interface UpstreamTest {
  readonly ok: boolean;
  /** All of `TEST_STEPS`, in order. */
  readonly steps: readonly TestStep[];
  /** The upstream's own list; null when it could not be had. */
  readonly models: readonly string[] | null;
  /** Host and port of the proxy that was used. */
  readonly via: string | null;
}

/** What is tested: a saved upstream as it is, or a draft; `id` names the saved one whose key and masked fields the draft keeps. */
export type UpstreamProbe =
  | { readonly kind: 'saved'; readonly id: string }
  | { readonly kind: 'draft'; readonly id: string | null; readonly upstream: UpstreamDraft };

/** The upstream's own model list, sorted as it came, without doubles (SPEC 2.1). */
export type ModelsFetched =
  | { readonly ok: true; readonly models: readonly string[] }
  | { readonly ok: false; readonly step: TestStepName; readonly reason: TestReason; readonly detail: string | null };
