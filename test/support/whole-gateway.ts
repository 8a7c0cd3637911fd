import { onTestFinished } from 'vitest';
import type { ExchangeEvent } from '../../shared/events.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import type { Route } from '../../shared/route.ts';
import { defaultSettings } from '../../shared/settings.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { createGateway } from '../../main/gateway/gateway.ts';
import type { SealMemory } from '../../main/gateway/ports.ts';
import { systemRandom } from '../../main/system/random.ts';
import { retryPolicySchema } from '../../shared/policy.ts';
import { createFakeClock } from './fake-clock.ts';
import { startScriptedUpstream, type ScriptedUpstream } from './scripted-upstream.ts';
import { createSealsInMemory } from './seals.ts';
import { createSignals } from './signals.ts';
import { upstreamOf } from './upstreams.ts';

/** The gateway with both of its edges on real sockets, its configuration in memory, and time in the hands of the test. */
export async function startWholeGateway(options: { readonly settings?: Partial<Settings>; readonly upstreams?: readonly string[]; readonly routes?: readonly Route[]; readonly part?: Partial<Upstream>; readonly seals?: SealMemory } = {}) {
  const clock = createFakeClock();
  const signals = createSignals();
  const events: ExchangeEvent[] = [];
  const servers: Record<string, ScriptedUpstream> = {};
  const upstreams: Upstream[] = [];
  for (const id of options.upstreams ?? ['a']) {
    const server = await startScriptedUpstream();
    servers[id] = server;
    upstreams.push(upstreamOf({ id, baseUrl: server.url, ...options.part }));
    onTestFinished(() => server.close());
  }
  // Patient without its spread, so that pauses are exact while chance stays real: it makes the ids, too.
  const settings: Settings = { ...defaultSettings(), 'gateway.retry_preset': 'custom', 'gateway.retry_policy': retryPolicySchema.parse({ jitter: 0 }), ...options.settings };
  const revoked = new AbortController();
  const gateway = createGateway({
    clock, random: systemRandom, version: '0.0.0-test', rowsDropped: () => 0,
    journal: { note: (event) => { events.push(event); signals.changed(); } },
    config: { settings: () => settings, routes: () => options.routes ?? [], upstreams: () => upstreams, upstream: (id) => upstreams.find((one) => one.id === id) ?? null },
    keys: { check: (key) => (key === 'hf-test' ? { kind: 'valid', id: 'k', name: 'test', revoked: revoked.signal } : { kind: 'unknown' }) },
    credentials: { of: () => ({ kind: 'secret', value: 'sk-upstream' }) },
    seals: options.seals ?? createSealsInMemory(clock),
    log: { info: () => undefined, warn: () => undefined, error: (message, fields) => { throw new Error(`${message} ${JSON.stringify(fields)}`); } },
  });
  onTestFinished(async () => {
    const stopped = gateway.stop({ graceMs: 0 });
    // The grace is over by the clock of the test.
    await clock.advance(1_000);
    await stopped;
  });
  const state = await gateway.listen({ port: 0 });
  if (state.status !== 'running') throw new Error(JSON.stringify(state));
  const rows = (): readonly ExchangeRow[] => events.flatMap((event) => (event.kind === 'finished' ? [event.row] : []));
  return {
    clock, events, gateway, revoked, rows, url: state.url, port: state.port,
    /** What is configured; a test may change it while the gateway runs. */
    upstreams,
    upstream: (id = 'a'): ScriptedUpstream => servers[id] as ScriptedUpstream,
    when: (holds: () => boolean) => signals.when(holds),
    /** Resolves when an event of this kind has come for the n-th time (from 1). */
    event: (kind: ExchangeEvent['kind'], count = 1) => signals.when(() => events.filter((event) => event.kind === kind).length >= count),
    ended: async (count = 1) => {
      await signals.when(() => rows().length >= count);
      return rows();
    },
    /** POSTs JSON with the gateway's key. */
    post: (path: string, body: unknown, more: { readonly body?: string; readonly signal?: AbortSignal; readonly headers?: Readonly<Record<string, string>> } = {}) => fetch(`${state.url}${path}`, {
      method: 'POST', body: JSON.stringify(body), ...more, headers: { 'content-type': 'application/json', authorization: 'Bearer hf-test', ...more.headers },
    }),
  };
}
