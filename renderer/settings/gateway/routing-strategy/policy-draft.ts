import { resolvePolicy } from '../../../../shared/backoff.ts';
import type { ExchangePolicy, RetryPolicy } from '../../../../shared/policy.ts';
import type { Settings } from '../../../../shared/settings.ts';

/** Values that are being moved or typed and not saved yet: the chart shows them already. */
export interface PolicyDraft {
  readonly secs?: number;
  readonly policy?: Partial<RetryPolicy>;
}

/** The policy that would be in force if the draft were saved. */
export function draftedPolicy(settings: Settings, draft: PolicyDraft): ExchangePolicy {
  return resolvePolicy({
    ...settings,
    'gateway.retry_wait_secs': draft.secs ?? settings['gateway.retry_wait_secs'],
    'gateway.retry_policy': { ...settings['gateway.retry_policy'], ...draft.policy },
  }, null);
}

/** What a new first pause changes: where every pause is the same, the longest one may not stay below it. */
export function withBase(policy: RetryPolicy, baseMs: number): Pick<RetryPolicy, 'baseMs'> & Partial<Pick<RetryPolicy, 'maxMs'>> {
  return policy.backoff === 'constant' && baseMs > policy.maxMs ? { baseMs, maxMs: baseMs } : { baseMs };
}
