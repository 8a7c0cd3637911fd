import type { Clock } from './ports.ts';

/** Why a wait was over. `ready`: what it waited for besides time is there. `revoked`: the gateway key was deleted or disabled meanwhile (SPEC 14). */
export type PauseVerdict = 'time' | 'ready' | 'retry_now' | 'give_up' | 'gone' | 'revoked' | 'stopping' | 'wake';

/** All pauses of the gateway, so that the user, the machine's waking and the end of the app can reach them. */
export interface Pauses {
  /** Waits `waitMs`, or until one of the signals or somebody from outside ends it. Never rejects, leaves no timer or listener behind. */
  wait(id: string, waitMs: number, until: PauseSignals): Promise<PauseVerdict>;
  /** False when this exchange is not pausing. */
  end(id: string, why: 'retry_now' | 'give_up'): boolean;
  endAll(why: 'stopping' | 'wake'): void;
  /** From now on every pause ends as soon as it begins (SPEC 17). */
  stop(): void;
}

export interface PauseSignals {
  /** The client left. */
  readonly gone: AbortSignal;
  readonly revoked: AbortSignal;
  readonly ready?: AbortSignal;
}

export function createPauses(clock: Clock): Pauses {
  // Each entry is removed by the end of its own pause.
  const running = new Map<string, (why: PauseVerdict) => void>();
  let stopped = false;
  const endAll = (why: 'stopping' | 'wake') => { for (const end of [...running.values()]) end(why); };
  return {
    wait: (id, waitMs, { gone, revoked, ready }) => new Promise((resolve) => {
      const signals = ([['gone', gone], ['revoked', revoked], ['ready', ready]] as const)
        .flatMap(([why, signal]) => (signal === undefined ? [] : [{ why, signal, end: () => { finish(why); } }]));
      const cancel = clock.timer(waitMs, () => { finish('time'); });
      const finish = (why: PauseVerdict) => {
        if (running.get(id) !== finish) return;
        running.delete(id);
        cancel();
        for (const { signal, end } of signals) signal.removeEventListener('abort', end);
        resolve(why);
      };
      running.set(id, finish);
      for (const { signal, end } of signals) signal.addEventListener('abort', end);
      const over = signals.find(({ signal }) => signal.aborted);
      if (over !== undefined) over.end();
      else if (stopped) finish('stopping');
    }),
    end: (id, why) => {
      const end = running.get(id);
      end?.(why);
      return end !== undefined;
    },
    endAll,
    stop: () => { stopped = true; endAll('stopping'); },
  };
}
