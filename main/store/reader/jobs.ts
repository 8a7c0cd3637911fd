/** Work in slices; between two slices others get their turn. */
export type Job<T> = Generator<void, T>;

/** Runs jobs by turns, a slice at a time. */
export interface Jobs {
  /** `place` is what only one job can have: one that has it already ends at once with what `superseded` gives. Null has no place. Rejects when the job throws. */
  run<T>(place: string | null, job: Job<T>, superseded: T): Promise<T>;
}

interface Running {
  readonly place: string | null;
  /** True when it has ended. */
  step(): boolean;
  giveUp(): void;
}

/** `later` calls once, when whoever brings new jobs has had the chance to. */
export function createJobs(later: (turn: () => void) => void): Jobs {
  let running: readonly Running[] = [];

  const turn = (): void => {
    const [first, ...others] = running;
    if (first === undefined) return;
    running = first.step() ? others : [...others, first];
    if (running.length > 0) later(turn);
  };

  return {
    run: (place, job, superseded) => new Promise((resolve, reject) => {
      const older = place === null ? undefined : running.find((one) => one.place === place);
      older?.giveUp();
      const idle = running.length === 0;
      const one: Running = {
        place,
        step: () => {
          try {
            const slice = job.next();
            if (slice.done === true) resolve(slice.value);
            return slice.done === true;
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
            return true;
          }
        },
        giveUp: () => {
          job.return(superseded);
          resolve(superseded);
        },
      };
      running = [...running.filter((other) => other !== older), one];
      if (idle) later(turn);
    }),
  };
}
