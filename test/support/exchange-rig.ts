import type { ExchangeEvent } from '../../shared/events.ts';
import type { FailureClass, UpstreamFailure } from '../../shared/failure.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import type { Route } from '../../shared/route.ts';
import { defaultSettings } from '../../shared/settings.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { createAffinity } from '../../main/gateway/affinity.ts';
import { createRetryBudget } from '../../main/gateway/budget.ts';
import { createExchanges } from '../../main/gateway/exchange.ts';
import { createHealth } from '../../main/gateway/health.ts';
import { createPauses } from '../../main/gateway/pauses.ts';
import type { Arrival, AttemptOrder, Opened, Refusal, Relayed, Reply, ReplyNotes, Unopened } from '../../main/gateway/ports.ts';
import { createSlots } from '../../main/gateway/slots.ts';
import { createFakeClock } from './fake-clock.ts';
import { createSealsInMemory } from './seals.ts';
import { createSignals } from './signals.ts';
import { upstreamOf } from './upstreams.ts';

/** What a scripted upstream does with one attempt, after `tookMs` on the fake clock. */
export type Step =
  | { readonly fails: FailureClass; readonly tookMs?: number; readonly hintMs?: number; readonly status?: number | null; readonly code?: string; readonly where?: UpstreamFailure['where']; readonly sentWhole?: boolean }
  | { readonly answers: Partial<Relayed>; readonly tookMs?: number }
  | { readonly hangs: true };

export const overloaded: Step = { fails: 'transient', status: 503 };
export const refused: Step = { fails: 'transient', status: null, code: 'connect.refused', where: 'connect', sentWhole: false };
export const answered: Step = { answers: {} };

export interface Sent { readonly upstream: string; readonly atMs: number; readonly order: AttemptOrder }

/** The loop with real rounds, pauses and budget, on a fake clock, between scripted edges. */
export function createExchangeRig(options: { readonly settings?: Partial<Settings>; readonly upstreams?: readonly Upstream[]; readonly routes?: readonly Route[]; readonly draw?: () => number } = {}) {
  const clock = createFakeClock();
  const signals = createSignals();
  const settings: Settings = { ...defaultSettings(), ...options.settings };
  const upstreams = new Map((options.upstreams ?? [upstreamOf({ id: 'a' })]).map((one) => [one.id, one]));
  const scripts = new Map<string, Step[]>();
  const sent: Sent[] = [];
  const events: ExchangeEvent[] = [];
  const startMs = clock.now();

  const open = async (order: AttemptOrder): Promise<Opened | Unopened> => {
    const beganMs = clock.now();
    sent.push({ upstream: order.upstream.id, atMs: beganMs - startMs, order });
    signals.changed();
    const step = scripts.get(order.upstream.id)?.shift() ?? overloaded;
    if ('hangs' in step) await new Promise<void>((resolve) => { order.gone.addEventListener('abort', () => { resolve(); }); });
    else if (step.tookMs !== undefined) await clock.sleep(step.tookMs, order.gone);
    const report = { startedMs: beganMs, endedMs: clock.now(), sentWhole: 'fails' in step ? step.sentWhole ?? true : true, resent: false, bytes: 0 };
    if (order.gone.aborted || 'hangs' in step) return { kind: 'unopened', failure: failureOf(order, { fails: 'cancelled' }), kept: null, report };
    if ('fails' in step) return { kind: 'unopened', failure: failureOf(order, step), kept: null, report };
    return openedOf({ end: 'complete', failure: null, facts: { model: 'm-served', usage: null, finishReason: 'stop' }, position: { events: 0, sequence: null, responseId: null, model: null }, firstContentMs: clock.now(), report, ...step.answers });
  };

  const parts = {
    clock, random: { draw: options.draw ?? (() => 0.5) },
    journal: { note: (event: ExchangeEvent) => { events.push(event); signals.changed(); } },
    config: {
      settings: () => settings, routes: () => options.routes ?? [],
      upstreams: () => [...upstreams.values()], upstream: (id: string) => upstreams.get(id) ?? null,
    },
    upstreams: { open },
    budget: createRetryBudget(clock, () => settings['gateway.retry_budget']),
    pauses: createPauses(clock), slots: createSlots(), health: createHealth(clock, () => settings['gateway.breaker']), affinity: createAffinity(clock), seals: createSealsInMemory(clock),
    log: { info: () => undefined, warn: () => undefined, error: (message: string, fields?: unknown) => { throw new Error(`${message} ${JSON.stringify(fields)}`); } },
  };
  const exchanges = createExchanges(parts);

  return {
    clock, parts, sent, events, upstreams, signals,
    /** What the upstream does, attempt by attempt; afterwards it is overloaded for ever. */
    script: (id: string, ...steps: readonly Step[]) => { scripts.set(id, [...steps]); },
    /** Starts an exchange; `done` gives its row and what the client was told. */
    start: (part: Partial<Arrival> = {}, revoked: AbortSignal = new AbortController().signal) => {
      const client = createClient();
      const arrival = arrivalOf({ atMs: clock.now(), atUtcMs: clock.utc(), ...part });
      const run = exchanges.run(arrival, client.reply, revoked);
      const done = run.then(() => ({ row: rowOf(events, arrival.id), client }));
      return { arrival, client, done };
    },
    /** Runs timers until the exchange has ended. */
    finish: async <T>(done: Promise<T>): Promise<T> => {
      const state = { over: false };
      void done.finally(() => { state.over = true; });
      await clock.advance(0);
      while (!state.over) await (clock.pending() > 0 ? clock.advanceToNext() : clock.advance(0));
      return done;
    },
    pausing: () => signals.when(() => events.at(-1)?.kind === 'pausing'),
    /** `a@0 a@2000 b@2000`: who was asked when, ms since the arrival. */
    calls: () => sent.map((call) => `${call.upstream}@${Math.round(call.atMs)}`).join(' '),
  };
}

function openedOf(relayed: Relayed): Opened {
  return { kind: 'opened', status: 200, headers: [], stream: true, whole: null, relay: () => Promise.resolve(relayed) };
}

function failureOf(order: AttemptOrder, step: Extract<Step, { fails: FailureClass }>): UpstreamFailure {
  return {
    class: step.fails, code: step.code ?? (step.status === undefined ? step.fails : String(step.status)), upstreamId: order.upstream.id, status: step.status ?? null, type: null,
    message: `${order.upstream.name} says ${step.fails}`, hintMs: step.hintMs ?? null, where: step.where ?? 'head', sentWhole: step.sentWhole ?? true,
  };
}

/** The client's side: leaves when told, remembers what it was given. */
function createClient() {
  const gone = new AbortController();
  const told: { refusal: Refusal | null; opened: Opened | null; notes: ReplyNotes | null; times: number } = { refusal: null, opened: null, notes: null, times: 0 };
  const reply: Reply = {
    gone: gone.signal,
    send: async (opened, notes) => {
      Object.assign(told, { opened, notes, times: told.times + 1 });
      const relayed = await opened.relay({ write: () => true, whenDrained: () => undefined });
      return { status: opened.status, bytes: 10, clientGone: gone.signal.aborted, relayed };
    },
    refuse: (refusal, notes) => {
      Object.assign(told, { refusal, notes, times: told.times + 1 });
      return Promise.resolve({ status: refusal.kind === 'own' ? refusal.status : refusal.failure.status ?? 502, bytes: 5, clientGone: gone.signal.aborted });
    },
  };
  return { reply, told, leave: () => { gone.abort(); } };
}

let arrivals = 0;
function arrivalOf(part: Partial<Arrival>): Arrival {
  return {
    id: `exchange-${arrivals++}`, atMs: 0, atUtcMs: 0, format: 'anthropic', operation: 'generate', method: 'POST', path: '/v1/messages', model: 'm-test', streamed: true, framing: 'sse',
    headers: {}, clientHeaders: {}, target: () => '/v1/messages', body: () => [], bodyBytes: 400, fingerprint: () => 'same', keyName: 'default', client: 'curl', sessionId: null, clientRetry: null, conversation: () => part.sessionId ?? null, seal: () => null, ...part,
  };
}

function rowOf(events: readonly ExchangeEvent[], id: string): ExchangeRow {
  const ends = events.filter((event) => event.kind === 'finished' && event.id === id);
  const end = ends[0];
  if (ends.length !== 1 || end?.kind !== 'finished') throw new Error(`${ends.length} ends of ${id}`);
  return end.row;
}
