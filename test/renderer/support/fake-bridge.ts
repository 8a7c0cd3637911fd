import type { GatewayState, InFlight } from '../../../shared/events.ts';
import type { AppInfo, Bridge, FirstSteps, IpcEvents, IpcRequests } from '../../../shared/ipc.ts';
import type { ExchangeRow, LogPage, LogQuery } from '../../../shared/log.ts';
import { defaultSettings, parseSetting, type Settings } from '../../../shared/settings.ts';
import type { Upstream } from '../../../shared/upstream.ts';

/** What stands behind a fake bridge at the start. */
export interface FakeWorld {
  settings: Settings;
  info: AppInfo;
  gateway: GatewayState;
  steps: FirstSteps;
  upstreams: readonly Upstream[];
  rows: readonly ExchangeRow[];
  inFlight: readonly InFlight[];
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
    info: { version: '0.1.0', platform: 'linux', systemLanguage: 'en-GB', versions: { electron: '45.5.0', node: '24.21.0', chromium: '146.0' }, dataDir: '/home/ada/.config/Holdfast', secretBox: 'keychain' },
    gateway: { status: 'running', url: 'http://127.0.0.1:4653', port: 4653, problem: null },
    steps: { upstreamAdded: false, copied: false, requestAnswered: false, dismissed: false },
    upstreams: [DEMO], rows: [], inFlight: [], ...part,
  };
}

/** Builds the bridge over `world`, which it changes as main would. */
export function createFakeBridge(world: FakeWorld): FakeBridge {
  const asked: { name: keyof IpcRequests; argument: unknown }[] = [];
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const emit: FakeBridge['emit'] = (name, payload) => listeners.get(name)?.forEach((listener) => listener(payload));
  const steps = (part: Partial<FirstSteps>) => { world.steps = { ...world.steps, ...part }; emit('first_steps.changed', world.steps); };
  const handlers: Handlers = {
    'app.info': async () => world.info,
    'gateway.state': async () => world.gateway,
    'gateway.use_port': async ({ port }) => {
      world.gateway = { status: 'running', url: `http://127.0.0.1:${port}`, port, problem: null };
      emit('gateway.changed', world.gateway);
      return world.gateway;
    },
    'keys.list': async () => [{ id: 'k1', name: 'default', hint: 'hf-...k3Qd', disabled: false, createdAt: 0 }],
    'clipboard.copy': async ({ what }) => { if (what !== 'text') steps({ copied: true }); return true; },
    'settings.all': async () => world.settings,
    'settings.set': async ({ key, value }) => {
      const parsed = parseSetting(key, value);
      if (!parsed.ok) return parsed;
      world.settings = { ...world.settings, [key]: parsed.value };
      emit('settings.changed', world.settings);
      return { ok: true, settings: world.settings };
    },
    'requests.list': async (query) => pageOf(world.rows, query),
    'requests.get': async ({ id }) => world.rows.find((row) => row.id === id) ?? null,
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
    'document.import': async () => ({ kind: 'cancelled' }),
    'first_steps.get': async () => world.steps,
    'first_steps.dismiss': async () => { steps({ dismissed: true }); return null; },
    'demo.send': async () => ({ kind: 'sent' }),
  };
  const request = Object.fromEntries(Object.keys(handlers).map((name) => [name, (argument: unknown) => {
    asked.push({ name: name as keyof IpcRequests, argument });
    return (handlers[name as keyof Handlers] as (argument: unknown) => Promise<unknown>)(argument);
  }])) as unknown as Bridge['request'];
  const on = new Proxy({}, {
    get: (_, name: string) => (listener: (payload: unknown) => void) => {
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all.add(listener));
      return () => all.delete(listener);
    },
  }) as Bridge['on'];
  return { bridge: { request, on }, asked, emit, answer: (name, handler) => { (handlers as Record<string, unknown>)[name] = handler; } };
}

/** What the store would answer: newest first, filtered, from the cursor on. */
function pageOf(rows: readonly ExchangeRow[], query: LogQuery): LogPage {
  const { before, outcomes, retriedOnly, limit } = query;
  const all = rows.filter((row) => (!outcomes || (row.outcome !== null && outcomes.includes(row.outcome))) && (!retriedOnly || row.retries > 0)
    && (!before || row.started_at < before.started_at || (row.started_at === before.started_at && row.id < before.id)));
  const page = all.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: all.length > limit && last ? { started_at: last.started_at, id: last.id } : null };
}
