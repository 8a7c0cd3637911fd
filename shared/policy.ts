import { z } from 'zod';

/** Presets of the retry policy (SPEC 8.2). */
export const RETRY_PRESETS = ['patient', 'full_jitter', 'constant', 'off', 'custom'] as const;
export type RetryPreset = (typeof RETRY_PRESETS)[number];

export const DEFAULT_STATUSES = [500, 502, 503, 504, 529];

/** A stored retry policy (SPEC 8.2, ranges of SPEC 14). Written in part, the rest keeps the patient values. */
export const retryPolicySchema = z.strictObject({
  backoff: z.enum(['exponential', 'full_jitter', 'constant']).default('exponential'),
  baseMs: z.int().min(0).max(60_000).default(2_000),
  maxMs: z.int().min(0).max(600_000).default(16_000),
  jitter: z.number().min(0).max(1).default(0.2),
  maxAttempts: z.int().min(0).max(100).default(0),
  hint: z.enum(['follow', 'floor']).default('follow'),
  hintMinMs: z.int().min(0).max(60_000).default(250),
  statuses: z.array(z.int().min(400).max(599)).max(20).default(DEFAULT_STATUSES),
  retryOnTimeout: z.boolean().default(false),
  attemptTimeoutMs: z.union([z.literal(0), z.int().min(1_000).max(3_600_000)]).default(0),
}).superRefine((policy, context) => {
  if (policy.maxMs < policy.baseMs) {
    context.addIssue({ code: 'too_small', origin: 'number', minimum: policy.baseMs, inclusive: true, input: policy.maxMs, path: ['maxMs'] });
  }
});
export type RetryPolicy = z.infer<typeof retryPolicySchema>;

/** A route's override of the global policy (SPEC 8.2): null means the settings decide. */
export const routePolicySchema = z.strictObject({
  preset: z.enum(RETRY_PRESETS),
  policy: retryPolicySchema.optional(),
  retry_wait_secs: z.int().min(0).max(600).optional(),
}).nullable();
export type RoutePolicy = z.infer<typeof routePolicySchema>;

/** The policy of one exchange: the preset resolved, the deadline filled in at arrival (SPEC 8.2, 8.3). */
export interface ExchangePolicy extends RetryPolicy {
  /** False for the preset `off`; the other fields then have no effect. */
  readonly enabled: boolean;
  /** 0-600,000 ms from the arrival of the request; 0 turns retrying off. */
  readonly deadlineMs: number;
}
