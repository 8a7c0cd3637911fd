/** Lets tests wait for something to become true instead of sleeping. */
export interface Signals {
  /** Something changed: look again. */
  changed(): void;
  /** Resolves as soon as `holds` is true; looked at now and after every change. */
  when(holds: () => boolean): Promise<void>;
}

export function createSignals(): Signals {
  const watchers = new Set<() => void>();
  return {
    changed: () => { for (const watcher of [...watchers]) watcher(); },
    when: (holds) => {
      if (holds()) return Promise.resolve();
      return new Promise((resolve) => {
        const watcher = (): void => {
          if (!holds()) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
      });
    },
  };
}
