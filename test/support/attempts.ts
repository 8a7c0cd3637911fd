import { randomUUID } from 'node:crypto';
import type { Upstream } from '../../shared/upstream.ts';
import type { Arrival, AttemptOrder, CredentialLookup, Log, Opened, Relayed, Sink, SinkMark, Unopened } from '../../main/gateway/ports.ts';
import { createUpstreams, type UpstreamEdge, type UpstreamParts } from '../../main/gateway/upstream/upstreams.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createSignals } from './signals.ts';

/** A log that keeps what it was told. */
export function createMemoryLog(): Log & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  const note = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>): void => { lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`); };
  return { lines, info: note('info'), warn: note('warn'), error: note('error') };
}

const PATHS = { anthropic: '/v1/messages', chat: '/v1/chat/completions', responses: '/v1/responses', gemini: '/v1beta/models/m-test:streamGenerateContent?alt=sse' } as const;

/** A request of a client, streamed Messages unless told otherwise; `bytes` is its body. */
export function anArrival(change: Partial<Arrival> & { readonly bytes?: string | Uint8Array } = {}): Arrival {
  const { bytes = '{"model":"m-test","stream":true}', ...rest } = change;
  const body = Buffer.from(bytes);
  const format = rest.format ?? 'anthropic';
  return {
    id: randomUUID(), atMs: 0, atUtcMs: 0, format, operation: 'generate', method: 'POST', path: PATHS[format], model: 'm-test', streamed: true, framing: 'sse',
    headers: { 'content-type': 'application/json' }, clientHeaders: { 'content-type': 'application/json' },
    target: () => PATHS[format], body: () => (body.byteLength === 0 ? [] : [body]), bodyBytes: body.byteLength,
    fingerprint: () => 'f', keyName: 'test', client: null, sessionId: null, clientRetry: null, conversation: () => null, seal: () => null, ...rest,
  };
}

export function anUpstream(baseUrl: string, change: Partial<Upstream> = {}): Upstream {
  return {
    id: 'a', name: 'A', preset: 'generic', baseUrl, formats: ['anthropic', 'chat', 'responses', 'gemini'], credential: { kind: 'stored', hint: 'sk-...test' },
    headers: {}, proxy: 'none', models: [], maxInFlight: 0, enabled: true, ...change,
  };
}

/** One attempt at `baseUrl`, with nothing that would end it early. */
export function anOrder(baseUrl: string, change: Partial<AttemptOrder> = {}): AttemptOrder {
  return {
    arrival: anArrival(), upstream: anUpstream(baseUrl), model: null, gone: new AbortController().signal, letGo: new AbortController().signal,
    idleTimeoutMs: 300_000, attemptTimeoutMs: 0, wholeLeftMs: null, transientStatuses: [500, 502, 503, 504, 529], rules: [], ...change,
  };
}

/** The edge under test with a fake clock, a log in memory and the key `sk-secret-value`. */
export function anEdge(change: Partial<UpstreamParts> & { readonly credential?: CredentialLookup } = {}): UpstreamEdge & { readonly clock: FakeClock; readonly log: ReturnType<typeof createMemoryLog> } {
  const clock = createFakeClock();
  const log = createMemoryLog();
  const { credential = { kind: 'secret', value: 'sk-secret-value' }, ...parts } = change;
  const edge = createUpstreams({ clock: clock, log, credentials: { of: () => credential }, proxyVariables: () => ({}), ...parts });
  return { ...edge, clock, log };
}

/** Takes what is relayed; slow on demand. */
export interface MemorySink extends Sink {
  readonly writes: readonly { readonly bytes: Buffer; readonly mark: SinkMark }[];
  text(): string;
  bytes(): Buffer;
  /** From now on `write` answers false until `drain`. */
  block(): void;
  drain(): void;
  /** Resolves when at least `count` bytes have been written. */
  reaches(count: number): Promise<void>;
  /** Resolves when the text written so far contains `part`. */
  contains(part: string): Promise<void>;
}

export function createMemorySink(): MemorySink {
  const writes: { bytes: Buffer; mark: SinkMark }[] = [];
  const signals = createSignals();
  let blocked = false;
  let waiting: (() => void)[] = [];
  let total = 0;
  const bytes = (): Buffer => Buffer.concat(writes.map((write) => write.bytes));
  return {
    writes, bytes,
    text: () => bytes().toString(),
    write: (chunk, mark) => {
      writes.push({ bytes: Buffer.from(chunk), mark });
      total += chunk.byteLength;
      signals.changed();
      return !blocked;
    },
    whenDrained: (resume) => {
      if (blocked) waiting.push(resume);
      else queueMicrotask(resume);
    },
    block: () => { blocked = true; },
    drain: () => {
      blocked = false;
      const resumes = waiting;
      waiting = [];
      for (const resume of resumes) resume();
    },
    reaches: (count) => signals.when(() => total >= count),
    contains: (part) => signals.when(() => bytes().includes(part)),
  };
}

/** Opens and fails the test when it did not open. */
export async function opened(attempt: Promise<Opened | Unopened>): Promise<Opened> {
  const outcome = await attempt;
  if (outcome.kind !== 'opened') throw new Error(`the attempt did not open: ${JSON.stringify(outcome.failure)}`);
  return outcome;
}

/** The failure of an attempt that must not open. */
export async function unopened(attempt: Promise<Opened | Unopened>): Promise<Unopened> {
  const outcome = await attempt;
  if (outcome.kind !== 'unopened') throw new Error('the attempt opened');
  return outcome;
}

/** Opens and relays into a sink of its own. */
export async function relayed(attempt: Promise<Opened | Unopened>): Promise<{ readonly opened: Opened; readonly sink: MemorySink; readonly end: Relayed }> {
  const answer = await opened(attempt);
  const sink = createMemorySink();
  const end = await answer.relay(sink);
  return { opened: answer, sink, end };
}
