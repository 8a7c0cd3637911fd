import type { RestReason } from '../../shared/health.ts';
import { CLOSED, phaseOf, type Breaker } from './core/routing/breaker.ts';
import { newTally, type Tally } from './health-figures.ts';

/** What is remembered of one upstream and model. The object lives until its upstream is forgotten: what began before writes into it and changes nothing of its successor. */
export interface ModelMemory {
  breaker: Breaker;
  /** Why it rests, as long as `breaker.restUntilMs` runs. */
  restReason: RestReason | null;
  readonly tally: Tally;
}

/** What is remembered of upstreams, by their id and model. */
export interface HealthMemory {
  /** What there is; undefined when nothing was asked of it yet. */
  find(upstreamId: string, model: string): ModelMemory | undefined;
  /** What there is, or a new one. */
  at(upstreamId: string, model: string): ModelMemory;
  models(upstreamId: string): ReadonlyMap<string, ModelMemory>;
  /** Forgets everything but that attempts are under way. */
  forget(upstreamId: string): void;
  /** The breakers of another memory, as they are now; its figures stay behind. */
  takeOver(other: HealthMemory, upstreamIds: readonly string[]): void;
}

// Names of models come from clients: without an end a client that makes them up would fill the memory.
const MOST_MODELS = 200;

/** `nowMs` is monotonic. */
export function createHealthMemory(nowMs: () => number): HealthMemory {
  // Bounded by the upstreams there were and by MOST_MODELS; `forget` removes an upstream's share.
  const upstreams = new Map<string, Map<string, ModelMemory>>();
  const makeRoom = (models: Map<string, ModelMemory>): void => {
    if (models.size < MOST_MODELS) return;
    // The oldest that says nothing, else the oldest.
    const quiet = [...models].find(([, memory]) => memory.tally.running.count === 0 && phaseOf(memory.breaker, nowMs()) === 'closed' && memory.breaker.restUntilMs <= nowMs());
    models.delete((quiet ?? [...models][0] ?? [''])[0]);
  };
  const put = (upstreamId: string, model: string, memory: ModelMemory): ModelMemory => {
    const models = upstreams.get(upstreamId) ?? new Map<string, ModelMemory>();
    makeRoom(models);
    models.set(model, memory);
    upstreams.set(upstreamId, models);
    return memory;
  };
  return {
    find: (upstreamId, model) => upstreams.get(upstreamId)?.get(model),
    at: (upstreamId, model) => upstreams.get(upstreamId)?.get(model) ?? put(upstreamId, model, { breaker: CLOSED, restReason: null, tally: newTally() }),
    models: (upstreamId) => upstreams.get(upstreamId) ?? new Map(),
    forget: (upstreamId) => {
      const before = upstreams.get(upstreamId);
      upstreams.delete(upstreamId);
      for (const [model, { tally: { running } }] of before ?? []) if (running.count > 0) put(upstreamId, model, { breaker: CLOSED, restReason: null, tally: newTally(running) });
    },
    takeOver: (other, upstreamIds) => {
      for (const id of upstreamIds) for (const [model, { breaker, restReason }] of other.models(id)) put(id, model, { breaker, restReason, tally: newTally() });
    },
  };
}
