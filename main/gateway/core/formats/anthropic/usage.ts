import type { Usage } from '../../wire-format.ts';
import { asCount, asObject } from '../value.ts';

/** Anthropic's counts as they stand: `input` is without the cache. */
export interface AnthropicCounts {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
}

/** Nothing told yet. */
export const NO_COUNTS: AnthropicCounts = { input: null, output: null, cacheRead: null, cacheWrite: null };

/** Takes over what a later `usage` tells: its counts are cumulative and replace field by field, missing ones keep the earlier value (wire formats 5). */
export function mergeCounts(counts: AnthropicCounts, value: unknown): AnthropicCounts {
  const usage = asObject(value);
  if (usage === null) return counts;
  return {
    input: asCount(usage['input_tokens']) ?? counts.input,
    output: asCount(usage['output_tokens']) ?? counts.output,
    cacheRead: asCount(usage['cache_read_input_tokens']) ?? counts.cacheRead,
    cacheWrite: asCount(usage['cache_creation_input_tokens']) ?? counts.cacheWrite,
  };
}

/** The counts in the words all formats share: input with the cache in it. Null when nothing was told. */
export function anthropicUsage(counts: AnthropicCounts): Usage | null {
  if (counts.input === null && counts.output === null) return null;
  const input = counts.input === null ? null : counts.input + (counts.cacheRead ?? 0) + (counts.cacheWrite ?? 0);
  return { ...counts, input, reasoning: null };
}
