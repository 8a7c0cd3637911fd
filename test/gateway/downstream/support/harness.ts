import { defaultSettings } from '../../../../shared/settings.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { createEndpoint } from '../../../../main/gateway/downstream/endpoint.ts';
import type { Endpoint, ListedModel, RefusedRequest } from '../../../../main/gateway/downstream/endpoint.ts';
import type { Arrival, Log, Opened, Relayed, Reply, ReplyNotes, Sink, SinkMark } from '../../../../main/gateway/ports.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import type { FakeClock } from '../../../support/fake-clock.ts';
import { createSignals } from '../../../support/signals.ts';
import { parseResponse, rawClient } from './raw-client.ts';

/** What the loop's double was given. */
export interface Run { readonly arrival: Arrival; readonly reply: Reply; readonly revoked: AbortSignal }
export type Script = (run: Run) => Promise<void>;

export interface Harness {
  readonly endpoint: Endpoint;
  readonly port: number;
  readonly clock: FakeClock;
  readonly runs: Run[];
  readonly refused: RefusedRequest[];
  readonly logged: string[];
  /** Resolves when so many exchanges have begun. */
  whenRuns(count: number): Promise<Run>;
  /** Sends one request on a connection of its own and reads to its end. */
  ask(request: string): Promise<ReturnType<typeof parseResponse>>;
  /** Plays the loop. */
  script: Script;
  settings: Settings;
  models: ListedModel[];
}

export const NOTES: ReplyNotes = { requestId: 'req-1', upstreamName: 'A', retries: 0, stopClientRetries: false };

/** Starts an endpoint on any port, with a loop that does what the test says. */
export async function startHarness(script: Script = answerOk, settings: Partial<Settings> = {}, more: { headTimeoutMs?: number; mostConnections?: number } = {}): Promise<Harness> {
  const clock = createFakeClock();
  const signals = createSignals();
  const revoked = new AbortController().signal;
  const log = (message: string): void => { harness.logged.push(message); };
  const endpoint = createEndpoint({
    config: { settings: () => harness.settings, routes: () => [], upstreams: () => [], upstream: () => null },
    keys: { check: (key) => (key === 'hf-test' ? { kind: 'valid', id: 'k', name: 'test', revoked } : { kind: key === 'hf-off' ? 'disabled' : 'unknown' }) },
    exchanges: {
      run: (arrival, reply, gone) => {
        const run = { arrival, reply, revoked: gone };
        harness.runs.push(run);
        signals.changed();
        return harness.script(run);
      },
    },
    clock,
    log: { info: log, warn: log, error: (message: string, fields) => { log(`${message} ${JSON.stringify(fields)}`); } } satisfies Log,
    version: '9.9.9',
    random: { draw: () => 0.5 },
    mark: () => '00000000000000aa',
    listModels: () => harness.models,
    metrics: () => 'gateway_in_flight 0\n',
    refused: (request) => { harness.refused.push(request); },
    ...more,
  });
  const harness: Harness = {
    endpoint, clock, script, runs: [], refused: [], logged: [], models: [], port: 0, settings: { ...defaultSettings(), ...settings },
    whenRuns: async (count) => {
      await signals.when(() => harness.runs.length >= count);
      const run = harness.runs[count - 1];
      if (run === undefined) throw new Error('no such run');
      return run;
    },
    ask: async (request) => {
      const client = await rawClient(harness.port);
      client.send(request.replace('\r\n', '\r\nconnection: close\r\n'));
      return parseResponse(await client.closed());
    },
  };
  const listening = await endpoint.listen({ port: 0 });
  if (listening.kind !== 'listening') throw new Error('the endpoint does not listen');
  return Object.assign(harness, { port: listening.port });
}

/** Answers with a small JSON body. */
export async function answerOk({ reply }: Run): Promise<void> {
  await reply.send(wholeAnswer('{"ok":true}'), NOTES);
}

const REPORT = { startedMs: 0, endedMs: 0, sentWhole: true, resent: false, bytes: 0 };
export const RELAYED: Relayed = {
  end: 'complete', failure: null, facts: { model: null, usage: null, finishReason: null }, firstContentMs: 1, report: REPORT,
  position: { events: 0, sequence: null, responseId: null, model: null },
};

/** An answer that is complete. */
export function wholeAnswer(body: string, status = 200, headers: Opened['headers'] = [['content-type', 'application/json']]): Opened {
  const bytes = Buffer.from(body);
  return {
    kind: 'opened', status, headers, stream: false, whole: bytes,
    relay: (sink) => {
      sink.write(bytes, { boundary: true, content: true, terminal: true });
      return Promise.resolve(RELAYED);
    },
  };
}

/** An answer that a test writes piece by piece. */
export interface DrivenAnswer {
  readonly opened: Opened;
  /** Writes; false when the client is slow. */
  write(text: string | Uint8Array, mark?: Partial<SinkMark>): boolean;
  whenDrained(): Promise<void>;
  end(relayed?: Partial<Relayed>): void;
}

/** A stream, or a whole answer that flows, as the test plays it. */
export function drivenAnswer(more: Partial<Opened> = {}): DrivenAnswer {
  let sink: Sink | null = null;
  let resolve: (relayed: Relayed) => void = () => undefined;
  const promise = new Promise<Relayed>((settle) => { resolve = settle; });
  const opened: Opened = {
    kind: 'opened', status: 200, headers: [['content-type', 'text/event-stream; charset=utf-8']], stream: true, whole: null,
    relay: (to) => {
      sink = to;
      return promise;
    },
    ...more,
  };
  const open = (): Sink => {
    if (sink === null) throw new Error('nothing is relayed yet');
    return sink;
  };
  return {
    opened,
    write: (text, mark = {}) => open().write(typeof text === 'string' ? Buffer.from(text) : text, { boundary: true, content: true, terminal: false, ...mark }),
    whenDrained: () => new Promise((drained) => { open().whenDrained(drained); }),
    end: (relayed = {}) => { resolve({ ...RELAYED, ...relayed }); },
  };
}
