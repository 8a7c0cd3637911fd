import { z } from 'zod';
import type { DryRunRequest } from '../../shared/dry-run.ts';
import { FORMAT_NAMES } from '../../shared/format.ts';
import { RETRY_PRESETS } from '../../shared/policy.ts';
import { STRATEGIES } from '../../shared/route.ts';
import { UPSTREAM_PRESETS } from '../../shared/upstream.ts';
import type { NewUpstream, RouteDraft, UpstreamDraft } from '../../shared/upstream-edits.ts';
import type { UpstreamProbe } from '../../shared/upstream-test.ts';

// Only the shape and a size that no honest page exceeds: what a user may have typed wrong is answered as faults beside the fields.

const id = z.string().min(1).max(64);
const text = z.string().max(10_000);
const credential = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('stored'), value: z.string().max(100_000) }),
  z.strictObject({ kind: z.literal('env'), name: text }),
  z.strictObject({ kind: z.literal('client') }),
  z.strictObject({ kind: z.literal('none') }),
]);
const fields = {
  preset: z.enum(UPSTREAM_PRESETS),
  name: text,
  base_url: text,
  formats: z.array(z.enum(FORMAT_NAMES)).max(FORMAT_NAMES.length),
};
const headers = z.record(text, z.string().max(100_000));
const models = z.array(text).max(10_000);
const count = z.number();

export const newUpstream: z.ZodType<NewUpstream> = z.strictObject({
  ...fields, credential,
  headers: headers.exactOptional(), proxy: text.exactOptional(), models: models.exactOptional(), max_in_flight: count.exactOptional(), enabled: z.boolean().exactOptional(),
});

export const upstreamDraft: z.ZodType<UpstreamDraft> = z.strictObject({
  ...fields, credential: credential.nullable(), headers, proxy: text, models, max_in_flight: count, enabled: z.boolean(),
});

export const upstreamProbe: z.ZodType<UpstreamProbe> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('saved'), id }),
  z.strictObject({ kind: z.literal('draft'), id: id.nullable(), upstream: upstreamDraft }),
]);

export const ids = z.strictObject({ ids: z.array(id).max(1_000) });
export const removal = z.strictObject({ undo: id });

const policy = z.strictObject({
  backoff: z.enum(['exponential', 'full_jitter', 'constant']), baseMs: count, maxMs: count, jitter: count, maxAttempts: count, hint: z.enum(['follow', 'floor']),
  hintMinMs: count, statuses: z.array(count).max(1_000), retryOnTimeout: z.boolean(), attemptTimeoutMs: count,
});

export const routeDraft: z.ZodType<RouteDraft> = z.strictObject({
  id: id.nullable(),
  pattern: text,
  strategy: z.enum(STRATEGIES),
  candidates: z.array(z.strictObject({ upstream: text, model: text.nullable(), weight: count.optional() })).max(1_000),
  policy: z.strictObject({ preset: z.enum(RETRY_PRESETS), policy: policy.optional(), retry_wait_secs: count.optional() }).nullable(),
});

const delayMs = z.int().min(0).max(3_600_000);
const simulated = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('answer'), after_ms: delayMs }),
  z.strictObject({ kind: z.literal('status'), status: z.int().min(400).max(599) }),
  z.strictObject({ kind: z.literal('stream_error'), code: z.string().min(1).max(100) }),
  z.strictObject({ kind: z.literal('rate_limited'), retry_after_secs: z.number().min(0).max(86_400).nullable() }),
  z.strictObject({ kind: z.enum(['refuse', 'reset', 'hang']) }),
  z.strictObject({ kind: z.literal('breaks_off') }),
]);

export const dryRun: z.ZodType<DryRunRequest> = z.strictObject({
  model: z.string().min(1).max(256),
  format: z.enum(FORMAT_NAMES),
  streamed: z.boolean(),
  answers: z.array(z.strictObject({ upstream: id, answers: z.array(simulated).min(1).max(100) })).max(200),
  health: z.enum(['fresh', 'present']),
});
