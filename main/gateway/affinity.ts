import type { Clock } from './ports.ts';

/** Remembers which upstream answered a conversation last: 24 h, the newest 4096, in memory (SPEC 9.5). */
export interface Affinity {
  /** Id of the upstream, null when it is not known (any more). */
  upstreamOf(conversation: string): string | null;
  learn(conversation: string, upstreamId: string): void;
}

const KEPT_MS = 24 * 3_600_000;
const MOST_CONVERSATIONS = 4_096;

export function createAffinity(clock: Clock): Affinity {
  // In the order of learning, so that the first is the oldest; bounded by `learn`.
  const known = new Map<string, { readonly upstreamId: string; readonly atMs: number }>();
  return {
    upstreamOf: (conversation) => {
      const entry = known.get(conversation);
      return entry === undefined || clock.now() - entry.atMs >= KEPT_MS ? null : entry.upstreamId;
    },
    learn: (conversation, upstreamId) => {
      known.delete(conversation);
      known.set(conversation, { upstreamId, atMs: clock.now() });
      for (const oldest of known.keys()) {
        if (known.size <= MOST_CONVERSATIONS) break;
        known.delete(oldest);
      }
    },
  };
}
