import type { Memory } from './memory.ts';

/** When each key was last used. */
export interface KeyUses {
  /** A request came in with this key; costs next to nothing. */
  note(id: string): void;
  /** Ms since 1970; null when it never was. */
  lastOf(id: string): number | null;
  /** Writes what has changed; resolves also when the disk does not take it. */
  flush(): Promise<void>;
}

const STATE_KEY = 'key_uses';
const WRITE_EVERY_MS = 60_000;

/** Remembers uses in memory and writes them at most once a minute: no timer runs for it, the next use carries the last ones along. */
export function createKeyUses(memory: Memory, utc: () => number): KeyUses {
  // As many entries as there are keys; those of deleted ones go with the next write.
  const usedAt = readUses(memory.state().appState[STATE_KEY]);
  let writtenAt = Number.NEGATIVE_INFINITY;
  let changed = false;
  let writing: Promise<unknown> = Promise.resolve();

  const flush = async (): Promise<void> => {
    if (changed) writing = write();
    await writing;
  };
  const write = async (): Promise<void> => {
    changed = false;
    writtenAt = utc();
    await memory.change(({ keys }) => {
      for (const id of usedAt.keys()) if (!keys.some(({ key }) => key.id === id)) usedAt.delete(id);
      return { change: { appState: { [STATE_KEY]: Object.fromEntries(usedAt) } }, answer: undefined };
    }).catch(() => { changed = true; });
  };

  return {
    note: (id) => {
      const now = utc();
      usedAt.set(id, now);
      changed = true;
      // A clock that was set back must not stop the writing.
      if (Math.abs(now - writtenAt) >= WRITE_EVERY_MS) void flush();
    },
    lastOf: (id) => usedAt.get(id) ?? null,
    flush,
  };
}

function readUses(stored: unknown): Map<string, number> {
  const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
  return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1])));
}
