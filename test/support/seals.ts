import type { Clock } from '../../main/gateway/ports.ts';
import { createSealMemory, type StoredSeals } from '../../main/store/seals.ts';

/** The store's memory of seals without the store: nothing of it reaches a disk. */
export function createSealsInMemory(clock: Clock): StoredSeals {
  const silent = () => undefined;
  return createSealMemory({ clock, log: { info: silent, warn: silent, error: silent }, stored: [], write: () => Promise.resolve(null) });
}
