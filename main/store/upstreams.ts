import { upstreamDocumentSchema, type Upstream, type UpstreamDocument } from '../../shared/upstream.ts';
import type { NewUpstream, Restored, RouteUse, UpstreamDraft, UpstreamRemoved, UpstreamSaved } from '../../shared/upstream-edits.ts';
import type { Route } from '../../shared/route.ts';
import type { ConfigurationState } from './configuration-state.ts';
import { schemaFaults } from './document-faults.ts';
import { faultOf } from './fault-words.ts';
import { freeId } from './free-id.ts';
import { inOrder } from './in-order.ts';
import type { Memory } from './memory.ts';
import { placeAgain, rememberedOrder } from './place-again.ts';
import type { Removals } from './removals.ts';
import { checkDraft } from './upstream-draft.ts';
import { checkUpstream } from './upstream-check.ts';
import { rememberedRoutes, usesOf, withoutUpstream, withUpstreamAgain } from './upstream-uses.ts';
import { placeSecrets, withoutSecrets } from './upstream-secrets.ts';

/** What a user does with upstreams, one by one (SPEC 2). Everything rejects when the disk refuses, and then nothing has changed. */
export interface UpstreamEdits {
  /** Faults have the paths of the document: `base_url`, `credential.value`. Takes `unknown`: it checks everything itself. */
  add(given: NewUpstream): Promise<UpstreamSaved>;
  /** Writes every field; the id stays. */
  update(id: string, draft: UpstreamDraft): Promise<UpstreamSaved>;
  /** Takes it out of the routes, too. Its secrets are kept until the removal cannot be taken back any more. */
  remove(id: string): Promise<UpstreamRemoved>;
  restore(undo: string): Promise<Restored>;
  reorder(ids: readonly string[]): Promise<void>;
  /** False when there is none with this id. */
  setEnabled(id: string, enabled: boolean): Promise<boolean>;
  /** Routes that name it, in their order. */
  usedBy(id: string): readonly RouteUse[];
}

export function createUpstreamEdits(memory: Memory, removals: Removals): UpstreamEdits {
  const isTaken = (state: ConfigurationState) => (id: string): boolean => state.upstreams.some((entry) => entry.upstream.id === id) || removals.reserves(id);
  const idsIn = ({ upstreams }: ConfigurationState): readonly string[] => upstreams.map((entry) => entry.upstream.id);
  // How everything stood before the removals that can still be taken back.
  let order: readonly string[] = [];
  let candidates: readonly Route[] = [];
  return {
    add: (given) => memory.change<UpstreamSaved>((state) => {
      const parsed = upstreamDocumentSchema.safeParse({ ...given, id: freeId(given.name, 'upstream', isTaken(state)) }, { reportInput: true });
      if (!parsed.success) return { change: null, answer: { ok: false, faults: schemaFaults(parsed.error.issues) } };
      const checked = checkUpstream(parsed.data, state.settings['gateway.port']);
      if (!checked.ok) return { change: null, answer: { ok: false, faults: checked.faults } };
      const { entry, put } = placeSecrets(checked.upstream, secretOf(parsed.data));
      return { change: { upstreams: [...state.upstreams, entry] }, secrets: { put, drop: [] }, answer: { ok: true, upstream: withoutSecrets(checked.upstream) } };
    }),

    update: (id, draft) => memory.change<UpstreamSaved>((state) => {
      const before = state.upstreams.find((entry) => entry.upstream.id === id);
      if (before === undefined) return { change: null, answer: { ok: false, faults: [faultOf('', 'gone')] } };
      const checked = checkDraft(draft, before, state.settings['gateway.port']);
      if (!checked.ok) return { change: null, answer: checked };
      const { entry, put } = placeSecrets(checked.upstream, checked.secret, before);
      const still = Object.values(entry.secretIds);
      return {
        change: { upstreams: state.upstreams.map((one) => (one === before ? entry : one)) },
        secrets: { put, drop: Object.values(before.secretIds).filter((secretId) => !still.includes(secretId)) },
        answer: { ok: true, upstream: withoutSecrets(checked.upstream) },
      };
    }),

    remove: async (id) => {
      const removed = await memory.change((state) => {
        const { upstreams, routes } = state;
        const gone = upstreams.find((entry) => entry.upstream.id === id);
        if (gone === undefined) return { change: null, answer: null };
        const secretIds = Object.values(gone.secretIds);
        return {
          change: { upstreams: upstreams.filter((entry) => entry !== gone), routes: withoutUpstream(routes, id), ...removals.condemned(state, secretIds) },
          answer: { gone, ids: idsIn(state), routes, secretIds },
        };
      });
      if (removed === null) return { kind: 'unknown' };
      const { gone, ids, routes, secretIds } = removed;
      order = rememberedOrder(order, ids);
      candidates = rememberedRoutes(candidates, routes);
      const stood = { order, candidates };
      const undo = removals.keep({
        id, secretIds,
        restore: (state) => (state.upstreams.some((entry) => entry.upstream.id === id) ? null
          : { upstreams: state.upstreams.toSpliced(placeAgain(stood.order, id, idsIn(state)), 0, gone), routes: withUpstreamAgain(state.routes, stood.candidates, id) }),
      });
      return { kind: 'removed', usedBy: usesOf(routes, id), ...undo };
    },

    restore: (undo) => removals.restore(undo),

    reorder: (ids) => memory.change(({ upstreams }) => ({ change: { upstreams: inOrder(upstreams, ids, (entry) => entry.upstream.id) }, answer: undefined })),

    setEnabled: (id, enabled) => memory.change(({ upstreams }) => {
      const found = upstreams.find((entry) => entry.upstream.id === id);
      if (found === undefined || found.upstream.enabled === enabled) return { change: null, answer: found !== undefined };
      const upstream: Upstream = { ...found.upstream, enabled };
      return { change: { upstreams: upstreams.map((entry) => (entry === found ? { ...entry, upstream } : entry)) }, answer: true };
    }),

    usedBy: (id) => usesOf(memory.state().routes, id),
  };
}

function secretOf({ credential }: UpstreamDocument): string | null {
  return credential.kind === 'stored' ? credential.value : null;
}
