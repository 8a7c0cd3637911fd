import { tryRules } from '../../../main/gateway/upstream/rule-trial.ts';
import { checkSettings } from '../../../main/store/setting-check.ts';
import { openPriceBook } from '../../../main/prices/price-book.ts';
import { resolvePolicy } from '../../../shared/backoff.ts';
import type { KeptContents } from '../../../shared/contents.ts';
import type { Backup, DataNotice, Licence } from '../../../shared/data.ts';
import type { LoginStart, Notice } from '../../../shared/desktop.ts';
import type { GatewayState, InFlight } from '../../../shared/events.ts';
import { FIGURE_CUTS, type FigureCounts, type Figures, type FigureSpan } from '../../../shared/figures.ts';
import type { AppInfo, Bridge, FirstSteps, IpcEvents, IpcRequests } from '../../../shared/ipc.ts';
import type { KeySaved, ListedKey } from '../../../shared/key.ts';
import type { ExchangeRow } from '../../../shared/log.ts';
import type { LogStatus } from '../../../shared/log-status.ts';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import type { Route } from '../../../shared/route.ts';
import type { UpstreamHealth } from '../../../shared/health.ts';
import type { UpdateState } from '../../../shared/updates.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import type { UpstreamDraft } from '../../../shared/upstream-edits.ts';
import { TEST_STEPS } from '../../../shared/upstream-test.ts';
import { countOf, facetsOf, pageOf } from './fake-log.ts';

/** What stands behind a fake bridge at the start. */
export interface FakeWorld {
  settings: Settings;
  info: AppInfo;
  gateway: GatewayState;
  steps: FirstSteps;
  upstreams: readonly Upstream[];
  routes: readonly Route[];
  health: readonly UpstreamHealth[];
  rows: readonly ExchangeRow[];
  inFlight: readonly InFlight[];
  figures: (span: FigureSpan) => Figures;
  logStatus: LogStatus;
  backups: readonly Backup[];
  notices: readonly DataNotice[];
  licences: readonly Licence[];
  updates: UpdateState;
  keys: readonly ListedKey[];
  /** What the app has to tell, until it is taken. */
  told: readonly Notice[];
  loginStart: LoginStart;
  /** By the id of the exchange. */
  contents: Readonly<Record<string, KeptContents>>;
}

/** A bridge for tests and previews that behaves like main as far as the window can tell, and remembers what it was asked. */
export interface FakeBridge {
  readonly bridge: Bridge;
  readonly asked: { readonly name: keyof IpcRequests; readonly argument: unknown }[];
  readonly emit: <K extends keyof IpcEvents>(name: K, payload: IpcEvents[K]) => void;
  /** Answers of single requests can be replaced. */
  readonly answer: <K extends keyof IpcRequests>(name: K, handler: (argument: IpcRequests[K]['argument']) => Promise<IpcRequests[K]['answer']>) => void;
}

type Handlers = { [K in keyof IpcRequests]: (argument: IpcRequests[K]['argument']) => Promise<IpcRequests[K]['answer']> };

/** The demo upstream as main shows it. */
export const DEMO: Upstream = { id: 'demo', name: 'Demo', preset: 'demo', baseUrl: 'http://127.0.0.1:49152', formats: ['anthropic', 'chat', 'responses', 'gemini'], credential: { kind: 'none' }, headers: {}, proxy: 'none', models: ['demo/*'], maxInFlight: 0, enabled: true };

/** A world at its first start, with what differs given. */
export function fakeWorld(part: Partial<FakeWorld> = {}): FakeWorld {
  return {
    settings: defaultSettings(),
    info: { version: '0.1.0', platform: 'linux', systemLanguage: 'en-GB', versions: { electron: '45.5.0', node: '24.21.0', chromium: '146.0' }, dataDir: '/home/ada/.config/Holdfast', secretBox: 'keychain', secretsInClear: 0 },
    gateway: { status: 'running', url: 'http://127.0.0.1:4653', port: 4653, problem: null },
    steps: { upstreamAdded: false, copied: false, requestAnswered: false, dismissed: false },
    upstreams: [DEMO], routes: [], health: [], rows: [], inFlight: [], contents: {},
    keys: [{ id: 'k1', name: 'default', hint: 'hf-...k3Qd', disabled: false, createdAt: 0, lastUsedAt: null }],
    updates: { status: 'none', checkedAt: null }, told: [], loginStart: { kind: 'off' },
    backups: [], notices: [], licences: [{ name: 'zod', version: '4.6.7', licence: 'MIT', text: 'MIT License' }],
    figures: noFigures, logStatus: { rowsLost: 0, refusedNotWritten: 0, bodiesLost: 0, waiting: false, sizeBytes: 98_304 }, ...part,
  };
}

const NO_COUNTS: FigureCounts = {
  requests: 0, firstTry: 0, rescuedByRetry: 0, rescuedByFailover: 0, failed: 0, refused: 0, cancelled: 0, pauseMs: 0,
  inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, untold: 0, unpriced: 0, costMicros: 0,
};

/** The figures of a log without rows, up to 2026-11-30T12:00Z. */
export function noFigures(span: FigureSpan): Figures {
  const { buckets, bucketMs } = FIGURE_CUTS[span];
  const to = Date.UTC(2026, 10, 30, 12);
  const from = to - buckets * bucketMs;
  return { span, from, to, totals: NO_COUNTS, rejectedKeys: 0, buckets: Array.from({ length: buckets }, (_, n) => ({ ...NO_COUNTS, from: from + n * bucketMs, to: from + (n + 1) * bucketMs })) };
}

/** Builds the bridge over `world`, which it changes as main would. */
export function createFakeBridge(world: FakeWorld): FakeBridge {
  const asked: { name: keyof IpcRequests; argument: unknown }[] = [];
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const emit: FakeBridge['emit'] = (name, payload) => listeners.get(name)?.forEach((listener) => listener(payload));
  const steps = (part: Partial<FirstSteps>) => { world.steps = { ...world.steps, ...part }; emit('first_steps.changed', world.steps); };
  const setUpstreams = (upstreams: readonly Upstream[]) => { world.upstreams = upstreams; emit('upstreams.changed', upstreams); };
  const setRoutes = (routes: readonly Route[]) => { world.routes = routes; emit('routes.changed', routes); };
  const setKeys = (keys: readonly ListedKey[]) => { world.keys = keys; emit('keys.changed', keys); };
  const keyAdded = (name: string): KeySaved => {
    if (world.keys.some((one) => one.name === name)) return { ok: false, reason: 'name_taken' };
    const key: ListedKey = { id: `k${world.keys.length + 1}`, name, hint: 'hf-...nEw0', disabled: false, createdAt: 0, lastUsedAt: null };
    setKeys([...world.keys, key]);
    return { ok: true, key };
  };
  const keyEdited = (id: string, part: Partial<ListedKey>): KeySaved => {
    const key = world.keys.find((one) => one.id === id);
    if (key === undefined) return { ok: false, reason: 'gone' };
    setKeys(world.keys.map((one) => (one.id === id ? { ...one, ...part } : one)));
    return { ok: true, key: { ...key, ...part } };
  };
  const kept = new Map<string, unknown>();
  const prices = openPriceBook({ get: (key) => kept.get(key), set: async (key, value) => { kept.set(key, value); } });
  let undo: (() => void) | null = null;
  const takeBack = () => {
    if (undo === null) return 'expired' as const;
    undo();
    undo = null;
    return 'restored' as const;
  };
  const handlers: Partial<Handlers> = {
    'app.info': async () => world.info,
    'gateway.state': async () => world.gateway,
    'gateway.use_port': async ({ port }) => {
      world.gateway = { status: 'running', url: `http://127.0.0.1:${port}`, port, problem: null };
      emit('gateway.changed', world.gateway);
      return world.gateway;
    },
    'gateway.set_accepting': async ({ accepting }) => {
      if (world.gateway.status !== 'running') return world.gateway;
      const { closed: _, ...open } = world.gateway;
      world.gateway = accepting ? open : { ...open, closed: true };
      emit('gateway.changed', world.gateway);
      return world.gateway;
    },
    'keys.list': async () => world.keys,
    'keys.add': async ({ name }) => keyAdded(name),
    'keys.rename': async ({ id, name }) => keyEdited(id, { name }),
    'keys.set_disabled': async ({ id, disabled }) => keyEdited(id, { disabled }),
    'keys.rotate': async ({ id }) => keyEdited(id, { hint: 'hf-...nEw1' }),
    'keys.remove': async ({ id }) => { const found = world.keys.some((key) => key.id === id); setKeys(world.keys.filter((key) => key.id !== id)); return found; },
    'clipboard.copy': async ({ what }) => { if (what !== 'text') steps({ copied: true }); return true; },
    'settings.all': async () => world.settings,
    'settings.set': async ({ key, value }) => {
      const checked = checkSettings(world.settings, { [key]: value }, false);
      if (!checked.ok) return checked;
      world.settings = { ...world.settings, ...checked.change };
      emit('settings.changed', world.settings);
      return { ok: true, settings: world.settings };
    },
    'rules.try': async (request) => tryRules(request, resolvePolicy(world.settings, null).statuses),
    'requests.list': async (query) => pageOf(world.rows, query),
    'requests.count': async ({ filter }) => countOf(world.rows, filter),
    'requests.facets': async () => facetsOf(world.rows),
    'requests.get': async ({ id }) => world.rows.find((row) => row.id === id) ?? null,
    'requests.contents': async ({ id }) => world.contents[id] ?? null,
    'logs.clear': async ({ what }) => { if (what === 'all') world.rows = []; world.contents = {}; return null; },
    'figures.get': async ({ span }) => world.figures(span),
    'log.status': async () => world.logStatus,
    'requests.export': async ({ as }) => ({ kind: 'written', file: `/home/ada/holdfast-requests.${as}`, rows: world.rows.length }),
    'requests.export_cancel': async () => null,
    'exchanges.in_flight': async () => world.inFlight,
    'exchanges.retry_now': async () => true,
    'exchanges.give_up': async () => true,
    'upstreams.list': async () => world.upstreams,
    'upstreams.add': async ({ preset, name, base_url, formats }) => {
      const upstream: Upstream = { ...DEMO, id: name.toLowerCase(), name, preset, baseUrl: base_url, formats, credential: { kind: 'stored', hint: 'sk-...abcd' }, models: [] };
      world.upstreams = [upstream];
      emit('upstreams.changed', world.upstreams);
      steps({ upstreamAdded: true });
      return { ok: true, upstream };
    },
    'upstreams.update': async ({ id, upstream: draft }) => {
      const before = world.upstreams.find((one) => one.id === id);
      if (before === undefined) return { ok: false, faults: [{ path: '', code: 'gone', values: {}, message: 'is not there any more' }] };
      const upstream = edited(before, draft);
      setUpstreams(world.upstreams.map((one) => (one.id === id ? upstream : one)));
      return { ok: true, upstream };
    },
    'upstreams.remove': async ({ id }) => {
      const gone = world.upstreams;
      if (!gone.some((one) => one.id === id)) return { kind: 'unknown' };
      undo = () => { setUpstreams(gone); };
      setUpstreams(gone.filter((one) => one.id !== id));
      return { kind: 'removed', usedBy: usesOf(world.routes, id), undo: 'u1', until: Date.now() + 30_000 };
    },
    'upstreams.restore': async () => takeBack(),
    'upstreams.reorder': async ({ ids }) => { setUpstreams(inOrder(world.upstreams, ids)); return world.upstreams; },
    'upstreams.set_enabled': async ({ id, enabled }) => { setUpstreams(world.upstreams.map((one) => (one.id === id ? { ...one, enabled } : one))); return true; },
    'upstreams.used_by': async ({ id }) => usesOf(world.routes, id),
    'upstreams.models': async () => ({ ok: true, models: ['m-large', 'm-small'] }),
    'upstreams.test': async () => ({
      ok: true, via: null, models: ['m-large', 'm-small'],
      steps: TEST_STEPS.map((step) => (step === 'proxy' ? { step, state: 'skipped', tookMs: null, reason: 'not_needed', detail: null, status: null } : { step, state: 'passed', tookMs: 12.5, reason: null, detail: null, status: step === 'auth' || step === 'models' ? 200 : null })),
    }),
    'routes.list': async () => world.routes,
    'routes.save': async (draft) => {
      const route: Route = { ...draft, id: draft.id ?? `r${world.routes.length + 1}` };
      setRoutes(draft.id === null ? [...world.routes, route] : world.routes.map((one) => (one.id === draft.id ? route : one)));
      return { ok: true, route };
    },
    'routes.remove': async ({ id }) => {
      const gone = world.routes;
      if (!gone.some((one) => one.id === id)) return { kind: 'unknown' };
      undo = () => { setRoutes(gone); };
      setRoutes(gone.filter((one) => one.id !== id));
      return { kind: 'removed', undo: 'u1', until: Date.now() + 30_000 };
    },
    'routes.restore': async () => takeBack(),
    'routes.reorder': async ({ ids }) => { setRoutes(inOrder(world.routes, ids)); return world.routes; },
    'routes.preview': async ({ pattern }) => [...new Set(world.rows.flatMap(({ model_asked: model }) => (model === null ? [] : [model])))].map((model) => ({ model, matches: pattern === model || pattern === '*', takenBy: null })),
    'routes.dry_run': async () => { throw new Error('give this answer by `answer`'); },
    'prices.list': async () => prices.list(),
    'prices.set': async ({ price, replaces }) => prices.set(price, replaces),
    'prices.remove': async ({ model }) => prices.remove(model),
    'health.list': async () => world.health,
    'health.reset': async () => null,
    'demo.set': async ({ shown }) => shown,
    'document.open': async () => ({ kind: 'cancelled' }),
    'document.forget': async () => null,
    'document.undo': async () => 'restored',
    'document.export': async () => ({ kind: 'cancelled' }),
    'backups.list': async () => world.backups,
    'backups.make': async () => {
      world.backups = [{ name: `configuration-${world.backups.length}.json`, kind: 'manual', madeAt: Date.UTC(2026, 10, 30, 12), sizeBytes: 2_048 }, ...world.backups];
      return world.backups;
    },
    'data.reset': async () => ({ backup: 'configuration-before.json', undo: '00000000-0000-4000-8000-000000000001' }),
    'data.open_folder': async () => true,
    'data.notices': async () => world.notices,
    'data.notices_seen': async () => null,
    'diagnostics.collect': async () => ({ text: '{\n  "holdfast_diagnostics": 1\n}\n' }),
    'diagnostics.save': async () => ({ kind: 'written', file: '/home/ada/holdfast-diagnostics.json' }),
    'about.licences': async () => world.licences,
    'about.open_link': async () => true,
    'updates.state': async () => world.updates,
    'updates.check': async () => world.updates,
    'updates.download': async () => world.updates,
    'updates.install': async () => world.updates,
    'notices.take': async () => {
      const told = world.told;
      world.told = [];
      return told;
    },
    'app.seal_secrets': async () => {
      world.info = { ...world.info, secretsInClear: 0 };
      return null;
    },
    'app.login_start': async () => world.loginStart,
    'first_steps.get': async () => world.steps,
    'first_steps.dismiss': async () => { steps({ dismissed: true }); return null; },
    'demo.send': async () => ({ kind: 'sent' }),
    'link.take': async () => null,
  };
  // A channel without an answer here rejects, as one of a main that is gone.
  const request = new Proxy({}, {
    get: (_, name: keyof IpcRequests) => async (argument: unknown) => {
      asked.push({ name, argument });
      const handler = handlers[name] as ((argument: unknown) => Promise<unknown>) | undefined;
      if (handler === undefined) throw new Error(`no answer to ${name}`);
      return handler(argument);
    },
  }) as Bridge['request'];
  const on = new Proxy({}, {
    get: (_, name: string) => (listener: (payload: unknown) => void) => {
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all.add(listener));
      return () => all.delete(listener);
    },
  }) as Bridge['on'];
  return { bridge: { request, on }, asked, emit, answer: (name, handler) => { (handlers as Record<string, unknown>)[name] = handler; } };
}

function edited(before: Upstream, draft: UpstreamDraft): Upstream {
  const { preset, name, base_url: baseUrl, formats, headers, proxy, models, max_in_flight: maxInFlight, enabled, credential } = draft;
  return { id: before.id, preset, name, baseUrl, formats, headers, proxy, models, maxInFlight, enabled, credential: credential === null ? before.credential : credential.kind === 'stored' ? { kind: 'stored', hint: 'sk-...abcd' } : credential };
}

function usesOf(routes: readonly Route[], id: string) {
  return routes.filter((route) => route.candidates.some((candidate) => candidate.upstream === id)).map((route) => ({ id: route.id, pattern: route.pattern, only: route.candidates.every((candidate) => candidate.upstream === id) }));
}

function inOrder<T extends { readonly id: string }>(items: readonly T[], ids: readonly string[]): readonly T[] {
  const placeOf = (item: T) => (ids.includes(item.id) ? ids.indexOf(item.id) : ids.length);
  return [...items].sort((a, b) => placeOf(a) - placeOf(b));
}
