import type { NoUpdatesReason, Update, UpdateState } from '../../shared/updates.ts';
import type { Clock, Log } from '../gateway/ports.ts';
import type { Memory } from './memory.ts';
import { faultOf, type UpdateEngine } from './update-engine.ts';
import { waitBeforeLook } from './update-schedule.ts';

export interface UpdatesParts {
  /** A reason when this copy cannot update itself. */
  readonly engine: UpdateEngine | NoUpdatesReason;
  readonly clock: Clock;
  readonly log: Log;
  readonly memory: Pick<Memory, 'facts' | 'change'>;
  /** Whether the user wants the app to look by itself. */
  enabled(): boolean;
  changed(state: UpdateState): void;
  /** A look that nobody asked for has found a version the user has not been told of. */
  found(update: Update): void;
  /** The user wants it installed: the app has to quit (SPEC 17), and then to call `finish`. */
  quit(): void;
}

/** Updates of the app: it looks once a day, tells, and does the rest on the user's word alone. */
export interface Updates {
  state(): UpdateState;
  check(): Promise<UpdateState>;
  download(): Promise<UpdateState>;
  install(): Promise<UpdateState>;
  /** Looks by itself from now on, as the setting says; call again whenever it changes. */
  follow(): void;
  /** The app is about to end: true when an installation ends it, `failed` is called when that does not work. */
  finish(failed: (error: unknown) => void): boolean;
  stop(): void;
}

/** Makes the keeper; it does nothing before it is told to. */
export function createUpdates({ engine, clock, log, memory, enabled, changed, found, quit }: UpdatesParts): Updates {
  const startedMs = clock.now();
  const checkedAt = (): number | null => memory.facts().updatesCheckedAt;
  let state: UpdateState = typeof engine === 'string' ? { status: 'unavailable', reason: engine } : { status: 'none', checkedAt: checkedAt() };
  let looking: { asked: boolean; readonly done: Promise<void> } | null = null;
  let failedMs: number | null = null;
  let cancel: (() => void) | null = null;
  const enter = (next: UpdateState): void => {
    state = next;
    changed(next);
  };

  const read = async (from: UpdateEngine, before: UpdateState): Promise<void> => {
    try {
      const update = await from.check();
      failedMs = null;
      memory.change({ updatesCheckedAt: clock.utc() });
      enter(update === null ? { status: 'none', checkedAt: checkedAt() } : { status: 'available', update, checkedAt: checkedAt() });
      if (update === null || memory.facts().updateTold === update.version) return;
      memory.change({ updateTold: update.version });
      // Who asked sees it.
      if (looking?.asked === false) found(update);
    } catch (error) {
      failedMs = clock.now();
      log.warn('updates could not be looked for', { error: String(error) });
      enter(looking?.asked === true ? { status: 'failed', fault: faultOf(error), update: null, checkedAt: checkedAt() } : before);
    }
  };
  const look = async (asked: boolean): Promise<void> => {
    if (looking !== null) {
      looking.asked ||= asked;
      return looking.done;
    }
    if (typeof engine === 'string' || (state.status !== 'none' && state.status !== 'available' && state.status !== 'failed')) return;
    const before = state;
    enter({ status: 'checking', checkedAt: checkedAt() });
    // The engine is asked in the next turn, when `looking` says who wants to know.
    looking = { asked, done: Promise.resolve().then(() => read(engine, before)).finally(() => { looking = null; }) };
    return looking.done;
  };
  const follow = (): void => {
    cancel?.();
    cancel = null;
    if (typeof engine === 'string' || !enabled()) return;
    const waitMs = waitBeforeLook({ nowMs: clock.now(), utcMs: clock.utc(), startedMs, checkedAtUtcMs: checkedAt(), failedMs });
    cancel = clock.timer(waitMs.forMs, () => {
      if (waitMs.thenLook) void look(false).then(follow);
      else follow();
    });
  };
  const fetch = async (from: UpdateEngine, update: Update): Promise<void> => {
    let share = 0;
    try {
      await from.download((now) => {
        if (Math.floor(now * 100) === Math.floor(share * 100)) return;
        share = now;
        enter({ status: 'downloading', update, share });
      });
      enter({ status: 'ready', update });
    } catch (error) {
      log.warn('an update could not be downloaded', { version: update.version, error: String(error) });
      enter({ status: 'failed', fault: faultOf(error), update, checkedAt: checkedAt() });
    }
  };

  return {
    state: () => state,
    check: async () => {
      await look(true);
      return state;
    },
    download: async () => {
      const update = state.status === 'available' || state.status === 'failed' ? state.update : null;
      if (typeof engine === 'string' || update === null) return state;
      enter({ status: 'downloading', update, share: 0 });
      void fetch(engine, update);
      return state;
    },
    install: async () => {
      if (state.status !== 'ready') return state;
      enter({ status: 'installing', update: state.update });
      quit();
      return state;
    },
    follow,
    finish: (failed) => {
      if (typeof engine === 'string' || state.status !== 'installing') return false;
      engine.install(failed);
      return true;
    },
    stop: () => {
      cancel?.();
      cancel = null;
    },
  };
}
