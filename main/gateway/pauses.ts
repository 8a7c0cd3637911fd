import type { Clock } from './ports.ts';

/** Why a pause was over. `revoked`: the gateway key was deleted or disabled meanwhile (SPEC 14). */
export type PauseVerdict = 'time' | 'retry_now' | 'give_up' | 'gone' | 'revoked' | 'stopping' | 'wake';

/** All pauses of the gateway, so that the user, the machine's waking and the end of the app can reach them. */
export interface Pauses {
  /** Waits `waitMs`, or until one of the signals or somebody from outside ends it. Never rejects, leaves no timer or listener behind. */
  wait(id: string, waitMs: number, gone: AbortSignal, revoked: AbortSignal): Promise<PauseVerdict>;
  /** False when this exchange is not pausing. */
  end(id: string, why: 'retry_now' | 'give_up'): boolean;
  endAll(why: 'stopping' | 'wake'): void;
  /** From now on every pause ends as soon as it begins (SPEC 17). */
  stop(): void;
}

export function createPauses(clock: Clock): Pauses {
  // Each entry is removed by the end of its own pause.
  const running = new Map<string, (why: PauseVerdict) => void>();
  let stopped = false;
  const endAll = (why: 'stopping' | 'wake') => { for (const end of [...running.values()]) end(why); };
  return {
    wait: (id, waitMs, gone, revoked) => new Promise((resolve) => {
      const onGone = () => { finish('gone'); };
      const onRevoked = () => { finish('revoked'); };
      const cancel = clock.timer(waitMs, () => { finish('time'); });
      const finish = (why: PauseVerdict) => {
        if (running.get(id) !== finish) return;
        running.delete(id);
        cancel();
        gone.removeEventListener('abort', onGone);
        revoked.removeEventListener('abort', onRevoked);
        resolve(why);
      };
      running.set(id, finish);
      gone.addEventListener('abort', onGone);
      revoked.addEventListener('abort', onRevoked);
      if (gone.aborted) finish('gone');
      else if (revoked.aborted) finish('revoked');
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
