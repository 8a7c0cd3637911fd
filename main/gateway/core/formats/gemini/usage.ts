import type { Usage } from '../../wire-format.ts';
import { asCount, asObject } from '../value.ts';

/** Reads `usageMetadata`: zero counts are left out of it, so missing is 0 (wire formats 6); null when there is none. Cache writes are never told. */
export function geminiUsage(value: unknown): Usage | null {
  const usage = asObject(value);
  if (usage === null) return null;
  const count = (name: string): number => asCount(usage[name]) ?? 0;
  return {
    input: count('promptTokenCount') + count('toolUsePromptTokenCount'),
    output: count('candidatesTokenCount') + count('thoughtsTokenCount'),
    cacheRead: count('cachedContentTokenCount'),
    cacheWrite: null,
    reasoning: count('thoughtsTokenCount'),
  };
}
