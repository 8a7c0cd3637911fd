import { randomUUID } from 'node:crypto';
import { UNDO_MS, type Restored, type Undo } from '../../shared/upstream-edits.ts';
import type { Clock, Log } from '../gateway/ports.ts';
import type { ConfigurationChange, ConfigurationState } from './configuration-state.ts';
import type { Memory } from './memory.ts';

/** Something that was taken out and can be put back. */
export interface Removal {
  readonly id: string;
  /** Secrets it needs when it comes back. */
  readonly secretIds: readonly string[];
  /** Secrets that came with what took its place: nothing refers to them once it is back. */
  readonly newSecretIds?: readonly string[];
  /** What puts it back into the configuration as it is then; null when its id is taken. */
  restore(state: ConfigurationState): ConfigurationChange | null;
}

/** What was removed lately (SPEC 2.3: a secret is kept only until the removal cannot be taken back any more). */
export interface Removals {
  /** Whether something with this id could still come back. */
  reserves(id: string): boolean;
  /** To be called when the removal is in force. */
  keep(removal: Removal): Undo;
  restore(undo: string): Promise<Restored>;
  /** What the change that removes has to write, so that a secret is dropped at the next start when this process ends before. */
  condemned(state: ConfigurationState, secretIds: readonly string[]): ConfigurationChange;
  /** Drops every secret that is kept, those of an earlier process included. */
  dropAll(): Promise<void>;
}

const KEY = 'removed_secrets';

export function createRemovals(memory: Memory, clock: Clock, log: Log): Removals {
  // An entry leaves when its time is over, when it is taken back, or by `dropAll`.
  const kept = new Map<string, { readonly removal: Removal; readonly cancel: () => void }>();

  const listed = (state: ConfigurationState): readonly string[] => {
    const list = state.appState[KEY];
    return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [];
  };
  const without = (state: ConfigurationState, ids: readonly string[]): ConfigurationChange =>
    (ids.length === 0 ? {} : { appState: { [KEY]: listed(state).filter((id) => !ids.includes(id)) } });

  const expire = (undo: string): void => {
    void memory.change((state) => {
      const entry = kept.get(undo);
      kept.delete(undo);
      const secretIds = entry?.removal.secretIds ?? [];
      return { change: secretIds.length === 0 ? null : without(state, secretIds), secrets: { put: [], drop: secretIds }, answer: null };
    }).catch((error: unknown) => { log.warn('the secrets of something removed stay until the next start', { reason: String(error) }); });
  };

  return {
    reserves: (id) => [...kept.values()].some(({ removal }) => removal.id === id),
    keep: (removal) => {
      const undo = randomUUID();
      kept.set(undo, { removal, cancel: clock.timer(UNDO_MS, () => { expire(undo); }) });
      return { undo, until: Math.round(clock.utc() + UNDO_MS) };
    },
    restore: async (undo) => {
      const restored = await memory.change<Restored>((state) => {
        const entry = kept.get(undo);
        if (entry === undefined) return { change: null, answer: 'expired' };
        const change = entry.removal.restore(state);
        if (change === null) return { change: null, answer: 'taken' };
        const { secretIds, newSecretIds = [] } = entry.removal;
        const appState = { ...change.appState, ...without(state, secretIds).appState };
        return { change: { ...change, ...(Object.keys(appState).length > 0 && { appState }) }, secrets: { put: [], drop: newSecretIds }, answer: 'restored' };
      });
      if (restored === 'restored') {
        kept.get(undo)?.cancel();
        kept.delete(undo);
      }
      return restored;
    },
    condemned: (state, secretIds) => (secretIds.length === 0 ? {} : { appState: { [KEY]: [...listed(state), ...secretIds] } }),
    dropAll: async () => {
      for (const { cancel } of kept.values()) cancel();
      kept.clear();
      await memory.change((state) => {
        const drop = listed(state);
        return { change: drop.length === 0 ? null : { appState: { [KEY]: [] } }, secrets: { put: [], drop }, answer: null };
      }).catch((error: unknown) => { log.warn('the secrets of something removed stay until the next start', { reason: String(error) }); });
    },
  };
}
