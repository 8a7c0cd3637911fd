import { z } from 'zod';
import { routePolicySchema } from './policy.ts';

export const STRATEGIES = ['priority', 'round_robin', 'weighted', 'least_latency', 'random'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** A rule from a requested model to candidates (SPEC 9.1, 9.2); also its form in the import document (SPEC 18.2). */
export const routeSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  /** Exact model name or glob with `*`. */
  pattern: z.string().trim().min(1).max(256),
  strategy: z.enum(STRATEGIES).default('priority'),
  candidates: z.array(z.strictObject({
    upstream: z.string().min(1),
    /** The model name to ask this upstream for; null keeps the client's. */
    model: z.string().trim().min(1).max(256).nullable().default(null),
    weight: z.int().min(1).max(1_000).optional(),
  })).max(100),
  policy: routePolicySchema.default(null),
});
export type Route = z.infer<typeof routeSchema>;
