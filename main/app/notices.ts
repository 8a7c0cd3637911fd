import type { Notice } from '../../shared/desktop.ts';
import type { ExchangeEvent, GatewayState } from '../../shared/events.ts';
import type { UpstreamHealth } from '../../shared/health.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Upstream } from '../../shared/upstream.ts';
import type { Clock } from '../gateway/ports.ts';
import { NOTHING_TOLD, noticed, waitBeforeBreakers, type NoticeFact } from './notice-rules.ts';

/** Whoever has been away for long reads the newest. */
const MOST_WAITING = 20;

export interface NoticesParts {
  readonly clock: Clock;
  mode(): Settings['app.notifications'];
  upstreams(): readonly Upstream[];
  health(): readonly UpstreamHealth[];
  /** Whether somebody could see the window. */
  isVisible(): boolean;
  /** There is something to take, and the window can be seen. */
  waiting(): void;
  /** How much waits to be seen has changed. */
  counted(count: number): void;
  /** Tells by the system; false where there are no such notifications. */
  tellBySystem(notice: Notice): boolean;
}

/** Tells the user what they should know although they did not ask: by the system, in the window, or not at all, as the setting says. */
export interface Notices {
  note(event: ExchangeEvent): void;
  gateway(state: GatewayState): void;
  /** Health may have changed. */
  health(): void;
  /** The list of upstreams is another one. */
  upstreamsChanged(): void;
  tell(notice: Notice): void;
  /** The window came into sight. */
  visible(): void;
  /** What waits to be seen; then nothing waits any more. */
  take(): readonly Notice[];
  count(): number;
  stop(): void;
}

/** Makes the teller. */
export function createNotices(parts: NoticesParts): Notices {
  const { clock } = parts;
  let memory = NOTHING_TOLD;
  let waiting: readonly Notice[] = [];
  let known = parts.upstreams();
  let cancel: (() => void) | null = null;
  const keep = (next: readonly Notice[]): void => {
    if (next.length === waiting.length && next.length === 0) return;
    waiting = next;
    parts.counted(waiting.length);
  };
  const tell = (notice: Notice): void => {
    const mode = parts.mode();
    if (mode === 'off' || (mode === 'system' && parts.tellBySystem(notice))) return;
    keep([...waiting, notice].slice(-MOST_WAITING));
    if (parts.isVisible()) parts.waiting();
  };
  const learn = (fact: NoticeFact): void => {
    const { memory: next, notices } = noticed(memory, fact);
    memory = next;
    for (const notice of notices) tell(notice);
  };
  const byName = (name: string): Upstream | undefined => parts.upstreams().find((one) => one.name === name);
  const answered = (name: string | null): void => {
    const upstream = name === null || memory.rejected.size === 0 ? undefined : byName(name);
    if (upstream !== undefined) learn({ kind: 'answered', upstreamId: upstream.id });
  };
  const health = (): void => {
    cancel?.();
    const phases = new Map(parts.health().map(({ upstreamId, phase }) => [upstreamId, phase]));
    learn({ kind: 'breakers', nowMs: clock.now(), upstreams: parts.upstreams().map(({ id, name }) => ({ id, name, phase: phases.get(id) ?? 'closed' })) });
    const waitMs = waitBeforeBreakers(memory, clock.now());
    cancel = waitMs === null ? null : clock.timer(waitMs, health);
  };
  return {
    note(event) {
      if (event.kind === 'released') answered(event.upstream);
      else if (event.kind === 'finished' && event.row.outcome === 'success') answered(event.row.upstream);
      else if (event.kind === 'attempt_failed' && event.class === 'auth') {
        const upstream = byName(event.upstream);
        // The client's own credential is the client's affair (SPEC 2.4).
        if (upstream !== undefined && upstream.credential.kind !== 'client') learn({ kind: 'rejected', upstream });
      }
    },
    gateway: (state) => { learn({ kind: 'gateway', state }); },
    health,
    upstreamsChanged() {
      const now = parts.upstreams();
      for (const upstream of known) if (!now.includes(upstream)) learn({ kind: 'changed', upstreamId: upstream.id });
      known = now;
    },
    tell,
    visible: () => { if (waiting.length > 0) parts.waiting(); },
    take() {
      const taken = waiting;
      keep([]);
      return taken;
    },
    count: () => waiting.length,
    stop: () => {
      cancel?.();
      cancel = null;
    },
  };
}
