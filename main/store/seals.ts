import { createHash } from 'node:crypto';
import type { Clock, Log, SealMemory } from '../gateway/ports.ts';
import type { SealPatch, StoredSeal } from './protocol.ts';

// They change with each turn of a conversation; a little later does, since every question is answered from memory.
const BATCH_MS = 50;
const AGAIN_MS = 30_000;
const KEPT_MS = 24 * 3_600_000;
const MOST_SEALS = 4_096;

/** The seal memory of the store. */
export interface StoredSeals extends SealMemory {
  /** Resolves when all that was learned before is on disk, or the disk does not take it now. */
  flush(): Promise<void>;
  /** As `flush`, and nothing is written afterwards. */
  close(): Promise<void>;
}

export interface SealParts {
  readonly clock: Clock;
  readonly log: Log;
  /** What was on disk at the start, oldest first. */
  readonly stored: readonly StoredSeal[];
  write(patch: SealPatch): Promise<unknown>;
}

/** Seals older than this are worth nothing any more, ms since 1970. */
export function sealsKeptSince(utcMs: number): number {
  return utcMs - KEPT_MS;
}

export function createSealMemory({ clock, log, stored, write }: SealParts): StoredSeals {
  // Both in the order of learning, so that the first is the oldest; bounded by `put`.
  const known = new Map<string, StoredSeal>();
  let unwritten = new Map<string, StoredSeal>();
  let writing: Promise<void> | null = null;
  let cancelTimer: (() => void) | null = null;
  let failing = false;

  const put = (map: Map<string, StoredSeal>, entry: StoredSeal): void => {
    map.delete(entry.seal);
    map.set(entry.seal, entry);
    for (const oldest of map.keys()) {
      if (map.size <= MOST_SEALS) break;
      map.delete(oldest);
    }
  };

  const schedule = (waitMs: number): void => {
    cancelTimer ??= clock.timer(waitMs, () => {
      cancelTimer = null;
      void send();
    });
  };

  const send = (): Promise<void> => {
    if (writing !== null || unwritten.size === 0) return writing ?? Promise.resolve();
    const batch = unwritten;
    unwritten = new Map();
    writing = write({ seals: [...batch.values()], keptSince: sealsKeptSince(clock.utc()), most: MOST_SEALS }).then(() => {
      if (failing) log.info('where sealed history was made is written again');
      failing = false;
    }, (error: unknown) => {
      // Told once, not at every try. What has been learned meanwhile is newer.
      if (!failing) log.warn('where sealed history was made cannot be written now', { reason: String(error) });
      failing = true;
      const since = unwritten;
      unwritten = batch;
      for (const entry of since.values()) put(unwritten, entry);
    }).finally(() => {
      writing = null;
      if (unwritten.size > 0) schedule(failing ? AGAIN_MS : BATCH_MS);
    });
    return writing;
  };

  const flush = async (): Promise<void> => {
    await writing;
    await send();
  };

  for (const entry of stored) put(known, entry);
  return {
    any: () => known.size > 0,
    upstreamOf: (seal) => {
      const entry = known.get(hashOf(seal));
      return entry === undefined || entry.learned_at < sealsKeptSince(clock.utc()) ? null : entry.upstream;
    },
    learn: (seal, upstreamId) => {
      const entry = { seal: hashOf(seal), upstream: upstreamId, learned_at: Math.round(clock.utc()) };
      put(known, entry);
      put(unwritten, entry);
      if (writing === null) schedule(BATCH_MS);
    },
    flush,
    close: async () => {
      await flush();
      cancelTimer?.();
      cancelTimer = null;
    },
  };
}

function hashOf(seal: string): string {
  return createHash('sha256').update(seal).digest('base64url');
}
