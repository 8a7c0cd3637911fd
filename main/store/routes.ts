import type { DocumentFault } from '../../shared/document.ts';
import { routeSchema, type Route } from '../../shared/route.ts';
import type { Restored, RouteDraft, RouteRemoved, RouteSaved } from '../../shared/upstream-edits.ts';
import type { ConfigurationState } from './configuration-state.ts';
import { schemaFaults } from './document-faults.ts';
import { faultOf } from './fault-words.ts';
import { freeId } from './free-id.ts';
import { inOrder } from './in-order.ts';
import type { Memory } from './memory.ts';
import { placeAgain, rememberedOrder } from './place-again.ts';
import type { Removals } from './removals.ts';

/** What a user does with routes (SPEC 9.1). Everything rejects when the disk refuses, and then nothing has changed. */
export interface RouteEdits {
  /** Adds one without an id behind the others, replaces one with an id. Upstreams that are not there are refused by name. */
  save(draft: RouteDraft): Promise<RouteSaved>;
  remove(id: string): Promise<RouteRemoved>;
  restore(undo: string): Promise<Restored>;
  reorder(ids: readonly string[]): Promise<void>;
}

export function createRouteEdits(memory: Memory, removals: Removals): RouteEdits {
  const idsOf = (routes: readonly Route[]): readonly string[] => routes.map(({ id }) => id);
  // How they stood before the removals that can still be taken back.
  let order: readonly string[] = [];
  return {
    save: (draft) => memory.change<RouteSaved>((state) => {
      const { routes } = state;
      const place = draft.id === null ? routes.length : routes.findIndex((route) => route.id === draft.id);
      if (place < 0) return { change: null, answer: { ok: false, faults: [faultOf('', 'gone')] } };
      const id = draft.id ?? freeId(draft.pattern, 'route', (taken) => routes.some((route) => route.id === taken) || removals.reserves(taken));
      const parsed = routeSchema.safeParse({ ...draft, id }, { reportInput: true });
      const faults = [...(parsed.success ? [] : schemaFaults(parsed.error.issues)), ...candidateFaults(state, draft)];
      if (!parsed.success || faults.length > 0) return { change: null, answer: { ok: false, faults } };
      return { change: { routes: routes.toSpliced(place, 1, parsed.data) }, answer: { ok: true, route: parsed.data } };
    }),

    remove: async (id) => {
      const removed = await memory.change(({ routes }) => {
        const place = routes.findIndex((route) => route.id === id);
        const route = routes[place];
        return route === undefined ? { change: null, answer: null } : { change: { routes: routes.toSpliced(place, 1) }, answer: { route, ids: idsOf(routes) } };
      });
      if (removed === null) return { kind: 'unknown' };
      const { route, ids } = removed;
      order = rememberedOrder(order, ids);
      const stood = order;
      return {
        kind: 'removed',
        ...removals.keep({
          id, secretIds: [],
          restore: (state) => (state.routes.some((one) => one.id === id) ? null : { routes: state.routes.toSpliced(placeAgain(stood, id, idsOf(state.routes)), 0, withKnownUpstreams(route, state)) }),
        }),
      };
    },

    restore: (undo) => removals.restore(undo),

    reorder: (ids) => memory.change(({ routes }) => ({ change: { routes: inOrder(routes, ids, (route) => route.id) }, answer: undefined })),
  };
}

function candidateFaults({ upstreams }: ConfigurationState, { candidates }: RouteDraft): DocumentFault[] {
  if (candidates.length === 0) return [faultOf('candidates', 'list_short', { min: 1 })];
  return candidates.flatMap(({ upstream }, place) => (upstreams.some((entry) => entry.upstream.id === upstream) ? []
    : [faultOf(`candidates[${place}].upstream`, 'no_upstream', { id: upstream })]));
}

// Upstreams that were deleted after the route.
function withKnownUpstreams(route: Route, { upstreams }: ConfigurationState): Route {
  return { ...route, candidates: route.candidates.filter((candidate) => upstreams.some((entry) => entry.upstream.id === candidate.upstream)) };
}
