import { upstreamDocumentSchema, type UpstreamDocument } from '../../shared/upstream.ts';
import type { NewUpstream, UpstreamAdded } from '../../shared/ipc.ts';
import type { ConfigurationState } from './configuration-state.ts';
import { schemaFaults } from './document-faults.ts';
import type { Memory } from './memory.ts';
import { checkUpstream } from './upstream-check.ts';
import { placeSecrets, withoutSecrets } from './upstream-secrets.ts';

/** Adding and removing upstreams one by one (SPEC 2). Both reject when the disk refuses. */
export interface UpstreamEdits {
  /** Faults have the paths of the document: `base_url`, `credential.value`. Takes `unknown`: it checks everything itself. */
  add(given: NewUpstream): Promise<UpstreamAdded>;
  /** Takes it out of the routes, too. False when there is none with this id. */
  remove(id: string): Promise<boolean>;
}

export function createUpstreamEdits(memory: Memory): UpstreamEdits {
  return {
    add: (given) => memory.change<UpstreamAdded>((state) => {
      const parsed = upstreamDocumentSchema.safeParse({ ...given, id: freeId(state, given.name) }, { reportInput: true });
      if (!parsed.success) return { change: null, answer: { ok: false, faults: schemaFaults(parsed.error.issues) } };
      const checked = checkUpstream(parsed.data, state.settings['gateway.port']);
      if (!checked.ok) return { change: null, answer: { ok: false, faults: checked.faults } };
      const { entry, put } = placeSecrets(checked.upstream, secretOf(parsed.data));
      return { change: { upstreams: [...state.upstreams, entry] }, secrets: { put, drop: [] }, answer: { ok: true, upstream: withoutSecrets(checked.upstream) } };
    }),
    remove: (id) => memory.change(({ upstreams, routes }) => {
      const gone = upstreams.find((entry) => entry.upstream.id === id);
      if (gone === undefined) return { change: null, answer: false };
      return {
        change: {
          upstreams: upstreams.filter((entry) => entry !== gone),
          routes: routes.map((route) => ({ ...route, candidates: route.candidates.filter((candidate) => candidate.upstream !== id) })),
        },
        secrets: { put: [], drop: Object.values(gone.secretIds) },
        answer: true,
      };
    }),
  };
}

function secretOf({ credential }: UpstreamDocument): string | null {
  return credential.kind === 'stored' ? credential.value : null;
}

// From the name, so that logs and exports can be read; a number where it is taken.
function freeId(state: ConfigurationState, name: unknown): string {
  const slug = String(name).toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '').slice(0, 48) || 'upstream';
  const taken = new Set(state.upstreams.map((entry) => entry.upstream.id));
  for (let n = 1; ; n++) {
    const id = n === 1 ? slug : `${slug}-${n}`;
    if (!taken.has(id)) return id;
  }
}
