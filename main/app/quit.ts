import type { InFlight } from '../../shared/events.ts';

/** How long running exchanges may go on after the user has asked to quit (SPEC 17). */
export const QUIT_GRACE_MS = 30_000;

export interface QuitParts {
  inFlight(): readonly InFlight[];
  /** Stops accepting, ends pauses, lets the rest finish for up to `graceMs`; asked again it takes the shorter grace. */
  stopGateway(graceMs: number): Promise<void>;
  /** Shows what is still running; resolves with the user's choice, or with `wait` when `finished` aborts. */
  ask(running: readonly InFlight[], finished: AbortSignal): Promise<'wait' | 'now'>;
  /** Writes what has to be written and closes the store. */
  close(): Promise<void>;
  /** Something of it went wrong; the process ends all the same. */
  failed(error: unknown): void;
  /** Ends the process. */
  exit(): void;
}

export interface Quit {
  /** Begins to quit, once. With `silent` nobody is asked: a signal, or the system is going down. */
  begin(options: { readonly silent: boolean }): void;
  /** Ends running exchanges at once and quits; rows are written either way. */
  hurry(): void;
  begun(): boolean;
  /** Everything is written: nothing may hold the process any more. */
  ended(): boolean;
}

/** The way out of the app (SPEC 17). */
export function createQuit(parts: QuitParts): Quit {
  let begun = false;
  let ended = false;
  const run = async (silent: boolean): Promise<void> => {
    const stopped = parts.stopGateway(QUIT_GRACE_MS);
    const running = parts.inFlight().filter(stillRuns);
    if (running.length > 0 && !silent) {
      const finished = new AbortController();
      const over = stopped.finally(() => { finished.abort(); });
      if (await parts.ask(running, finished.signal) === 'now') await parts.stopGateway(0);
      await over;
    }
    await stopped;
    await parts.close();
  };
  const begin = (silent: boolean): void => {
    if (begun) return;
    begun = true;
    void run(silent).catch((error: unknown) => { parts.failed(error); }).finally(() => {
      ended = true;
      parts.exit();
    });
  };
  return {
    begin: ({ silent }) => { begin(silent); },
    hurry() {
      begin(true);
      void parts.stopGateway(0);
    },
    begun: () => begun,
    ended: () => ended,
  };
}

// Pauses and queues end by themselves as soon as the gateway stops.
function stillRuns({ state }: InFlight): boolean {
  return state === 'attempting' || state === 'answering';
}
