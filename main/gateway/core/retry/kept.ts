import type { FailureClass } from '../../../../shared/failure.ts';

const RANKS: Partial<Record<FailureClass, number>> = { request: 3, transient: 2, rate_limited: 1 };

function rankOf(failed: FailureClass | null): number {
  return failed === null ? 0 : RANKS[failed] ?? 0;
}

/** Whether a newer failure replaces the kept one as the answer to the client (SPEC 10.1): always, unless the kept one ranks higher. */
export function replacesKept(kept: FailureClass | null, newer: FailureClass): boolean {
  return rankOf(newer) >= rankOf(kept);
}

/** What a chain of attempts says of one of them. */
export interface ChainLink {
  readonly upstream: string;
  /** `503`, `refused`, `overloaded_error`. */
  readonly what: string;
}

/** The attempts in one line, neighbours that say the same counted: `a 503, b refused, a 503 x2` (SPEC 10.4); null for a single attempt. */
export function chainText(links: readonly ChainLink[]): string | null {
  if (links.length < 2) return null;
  const runs: { text: string; times: number }[] = [];
  for (const link of links) {
    const text = `${link.upstream} ${link.what}`;
    const last = runs.at(-1);
    if (last?.text === text) last.times++;
    else runs.push({ text, times: 1 });
  }
  // A long outage must not make a message of kilobytes.
  const shown = runs.length <= 8 ? runs : [...runs.slice(0, 4), { text: `${runs.length - 7} more`, times: 1 }, ...runs.slice(-3)];
  return shown.map((run) => (run.times === 1 ? run.text : `${run.text} x${run.times}`)).join(', ');
}
