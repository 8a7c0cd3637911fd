import type { Notice } from '../../shared/desktop.ts';
import type { GatewayState } from '../../shared/events.ts';
import type { BreakerPhase } from '../../shared/health.ts';

/** An upstream is told of when its breaker has been open for so long (UI.md). */
export const DOWN_AFTER_MS = 5 * 60_000;

/** What is known about what was told; of upstreams by id. Nothing is told twice before it was well again. */
export interface NoticeMemory {
  readonly gatewayFailed: boolean;
  readonly rejected: ReadonlySet<string>;
  /** Since when, monotonic ms, an upstream has not been well; and whether the user knows. */
  readonly down: ReadonlyMap<string, { readonly sinceMs: number; readonly told: boolean }>;
}

/** Nothing has happened yet. */
export const NOTHING_TOLD: NoticeMemory = { gatewayFailed: false, rejected: new Set(), down: new Map() };

interface Named { readonly id: string; readonly name: string }

/** What may be worth a word. */
export type NoticeFact =
  | { readonly kind: 'gateway'; readonly state: GatewayState }
  /** An upstream has refused the credential that the app has of it (class `auth`). */
  | { readonly kind: 'rejected'; readonly upstream: Named }
  | { readonly kind: 'answered'; readonly upstreamId: string }
  /** It was edited or deleted, or its health was reset: it begins anew. */
  | { readonly kind: 'changed'; readonly upstreamId: string }
  /** The breakers of all upstreams now, the worst of each upstream's models. */
  | { readonly kind: 'breakers'; readonly nowMs: number; readonly upstreams: readonly (Named & { readonly phase: BreakerPhase })[] };

/** What the user is to be told because of a fact, and what is remembered of it. */
export function noticed(memory: NoticeMemory, fact: NoticeFact): { readonly memory: NoticeMemory; readonly notices: readonly Notice[] } {
  switch (fact.kind) {
    case 'gateway': {
      const { state } = fact;
      if (state.status === 'failed') return { memory: { ...memory, gatewayFailed: true }, notices: memory.gatewayFailed ? [] : [{ kind: 'gateway_failed', problem: state.problem }] };
      return { memory: state.status === 'running' ? { ...memory, gatewayFailed: false } : memory, notices: [] };
    }
    case 'rejected': {
      const { id, name } = fact.upstream;
      if (memory.rejected.has(id)) return { memory, notices: [] };
      return { memory: { ...memory, rejected: new Set([...memory.rejected, id]) }, notices: [{ kind: 'key_rejected', upstreamId: id, upstream: name }] };
    }
    case 'answered':
      return { memory: memory.rejected.has(fact.upstreamId) ? { ...memory, rejected: without(memory.rejected, fact.upstreamId) } : memory, notices: [] };
    case 'changed':
      return { memory: { ...memory, rejected: without(memory.rejected, fact.upstreamId), down: new Map([...memory.down].filter(([id]) => id !== fact.upstreamId)) }, notices: [] };
    case 'breakers': return breakers(memory, fact.upstreams, fact.nowMs);
  }
}

// Between two failed probes a breaker is half open: the upstream is not well before it closes. Half open alone says nothing new either, so that one that
// nobody has asked for hours is told of only when it fails again.
function breakers(memory: NoticeMemory, upstreams: readonly (Named & { readonly phase: BreakerPhase })[], nowMs: number): { memory: NoticeMemory; notices: Notice[] } {
  const down = new Map<string, { sinceMs: number; told: boolean }>();
  const notices: Notice[] = [];
  for (const { id, name, phase } of upstreams) {
    const before = memory.down.get(id);
    if (phase === 'closed' || (before === undefined && phase !== 'open')) continue;
    const sinceMs = before?.sinceMs ?? nowMs;
    const tells = before?.told !== true && phase === 'open' && nowMs - sinceMs >= DOWN_AFTER_MS;
    if (tells) notices.push({ kind: 'upstream_down', upstreamId: id, upstream: name, minutes: Math.floor((nowMs - sinceMs) / 60_000) });
    down.set(id, { sinceMs, told: tells || before?.told === true });
  }
  return { memory: { ...memory, down }, notices };
}

/** How long until the breakers have to be looked at again, though nothing may happen until then; null when they need not be. */
export function waitBeforeBreakers(memory: NoticeMemory, nowMs: number): number | null {
  const waits = [...memory.down.values()].filter(({ told }) => !told).map(({ sinceMs }) => sinceMs + DOWN_AFTER_MS - nowMs).filter((waitMs) => waitMs > 0);
  return waits.length === 0 ? null : Math.min(...waits);
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((one) => one !== id));
}
