import type { Log } from '../gateway/ports.ts';
import { applyChange, patchOf, type ConfigurationChange, type ConfigurationState } from './configuration-state.ts';
import type { ConfigurationPatch } from './protocol.ts';
import type { SecretBox } from './secret-box.ts';

/** What of the configuration has changed. */
export type ConfigurationPart = keyof ConfigurationChange;

/** A change thought through: what it writes, what it does to secrets, and what it answers. */
export interface Plan<R> {
  /** Null changes nothing. */
  readonly change: ConfigurationChange | null;
  readonly secrets?: { readonly put: readonly { readonly id: string; readonly value: string }[]; readonly drop: readonly string[] };
  readonly answer: R;
}

/** The configuration in memory, and the only way to change it. */
export interface Memory {
  state(): ConfigurationState;
  /** Plans run one after the other on the newest state. Resolves when the change is on disk and in force; rejects when it could not be written, and then nothing has changed. */
  change<R>(plan: (state: ConfigurationState) => Plan<R> | Promise<Plan<R>>): Promise<R>;
  /** Told after each change is in force; the answer ends it. */
  onChange(listener: (parts: ReadonlySet<ConfigurationPart>) => void): () => void;
}

export interface MemoryParts {
  readonly initial: ConfigurationState;
  readonly secretBox: SecretBox;
  readonly log: Log;
  write(patch: ConfigurationPatch): Promise<unknown>;
}

export function createMemory({ initial, secretBox, log, write }: MemoryParts): Memory {
  let state = initial;
  let last: Promise<unknown> = Promise.resolve();
  const listeners = new Set<(parts: ReadonlySet<ConfigurationPart>) => void>();

  const run = async <R>(plan: (state: ConfigurationState) => Plan<R> | Promise<Plan<R>>): Promise<R> => {
    const { change, secrets, answer } = await plan(state);
    if (change === null) return answer;
    // New secrets have new ids, so that until the database is written the old ones are what they were.
    const put: string[] = [];
    try {
      for (const secret of secrets?.put ?? []) {
        secretBox.put(secret.id, secret.value);
        put.push(secret.id);
      }
      await write(patchOf(change));
    } catch (error) {
      drop(put);
      throw error;
    }
    state = applyChange(state, change);
    drop(secrets?.drop ?? []);
    tell(new Set(Object.keys(change) as ConfigurationPart[]));
    return answer;
  };

  const drop = (ids: readonly string[]): void => {
    for (const id of ids) {
      try {
        secretBox.delete(id);
      } catch (error) {
        log.warn('a secret that is used no more could not be removed', { reason: String(error) });
      }
    }
  };

  const tell = (parts: ReadonlySet<ConfigurationPart>): void => {
    for (const listener of [...listeners]) {
      try {
        listener(parts);
      } catch (error) {
        log.error('a listener to the configuration has failed', { reason: String(error) });
      }
    }
  };

  return {
    state: () => state,
    change: (plan) => {
      const done = last.then(() => run(plan));
      last = done.catch(() => undefined);
      return done;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
  };
}
