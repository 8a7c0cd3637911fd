import type { Upstream } from '../../shared/upstream.ts';
import type { PreviewedModel } from '../../shared/upstream-edits.ts';
import type { TestReason, UpstreamProbe } from '../../shared/upstream-test.ts';
import { globMatches } from '../gateway/core/routing/match.ts';
import type { CredentialLookup } from '../gateway/ports.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { testRefused } from '../gateway/upstream/probe/probe.ts';
import type { Store } from '../store/store.ts';
import type { ResolvedProbe } from '../store/upstream-draft.ts';
import type { Handlers } from './serve.ts';

/** What these requests reach. */
export interface EditHandlerParts {
  readonly store: Pick<Store, 'config' | 'upstreams' | 'routes' | 'logs' | 'resolveProbe'>;
  readonly gateway: Pick<Gateway, 'health' | 'forgetHealth' | 'dryRun' | 'test' | 'fetchModels'>;
  /** The user's own and the demo. */
  upstreams(): readonly Upstream[];
  /** The demo as it runs; null when it does not. It is in no store. */
  demo(): Upstream | null;
}

type EditChannel = Extract<keyof Handlers, `upstreams.${string}` | `routes.${string}` | `health.${string}`>;

const PREVIEWED_MODELS = 20;
const NO_KEY: CredentialLookup = { kind: 'none' };

/** What stands behind the pages Upstreams and Routes, and the health strip. */
export function createEditHandlers(parts: EditHandlerParts): Omit<Pick<Handlers, EditChannel>, 'upstreams.list'> {
  const { store, gateway } = parts;
  return {
    'upstreams.add': (given) => store.upstreams.add(given),
    'upstreams.update': ({ id, upstream }) => store.upstreams.update(id, upstream),
    'upstreams.remove': ({ id }) => store.upstreams.remove(id),
    'upstreams.restore': ({ undo }) => store.upstreams.restore(undo),
    'upstreams.reorder': async ({ ids }) => {
      await store.upstreams.reorder(ids);
      return parts.upstreams();
    },
    'upstreams.set_enabled': ({ id, enabled }) => store.upstreams.setEnabled(id, enabled),
    'upstreams.used_by': ({ id }) => store.upstreams.usedBy(id),
    'upstreams.models': async (probe) => {
      const resolved = resolve(parts, probe);
      if (resolved.ok) return gateway.fetchModels(resolved.upstream, resolved.credential);
      const { reason, detail } = refusalOf(resolved);
      return { ok: false, step: 'dns', reason, detail };
    },
    'upstreams.test': async (probe) => {
      const resolved = resolve(parts, probe);
      if (resolved.ok) return gateway.test(resolved.upstream, resolved.credential);
      const { reason, detail } = refusalOf(resolved);
      return testRefused(reason, detail);
    },
    'routes.list': () => store.config.routes(),
    'routes.save': (draft) => store.routes.save(draft),
    'routes.remove': ({ id }) => store.routes.remove(id),
    'routes.restore': ({ undo }) => store.routes.restore(undo),
    'routes.reorder': async ({ ids }) => {
      await store.routes.reorder(ids);
      return store.config.routes();
    },
    'routes.preview': async ({ pattern, id }) => preview(parts, pattern.trim(), id, await store.logs.recentModels(PREVIEWED_MODELS)),
    'routes.dry_run': (request) => gateway.dryRun(request),
    'health.list': () => gateway.health(),
    'health.reset': ({ id }) => {
      gateway.forgetHealth(id);
      return null;
    },
  };
}

function resolve({ store, demo }: Pick<EditHandlerParts, 'store' | 'demo'>, probe: UpstreamProbe): ResolvedProbe {
  const shown = demo();
  if (probe.kind === 'saved' && shown?.id === probe.id) return { ok: true, upstream: shown, credential: NO_KEY };
  return store.resolveProbe(probe);
}

/** A draft that cannot be used: its first fault, in the words of a test. */
function refusalOf({ faults }: Extract<ResolvedProbe, { ok: false }>): { readonly reason: TestReason; readonly detail: string } {
  const [first] = faults;
  const path = first?.path ?? '';
  const detail = `${path} ${first?.message ?? ''}`.trim();
  if (path === 'base_url') return { reason: /this gateway/.test(detail) ? 'address_self' : 'address_invalid', detail };
  if (path === 'proxy') return { reason: 'proxy_invalid', detail };
  return { reason: path.startsWith('credential') ? 'credential_missing' : 'draft_invalid', detail };
}

/** Holds models against a pattern. A route ahead that takes one leaves nothing of it for this one (SPEC 9.1). */
function preview({ store }: Pick<EditHandlerParts, 'store'>, pattern: string, id: string | null, models: readonly string[]): readonly PreviewedModel[] {
  const routes = store.config.routes();
  const place = routes.findIndex((route) => route.id === id);
  const ahead = place < 0 ? routes : routes.slice(0, place);
  return models.map((model) => ({ model, matches: globMatches(pattern, model), takenBy: ahead.find((route) => globMatches(route.pattern, model))?.id ?? null }));
}
