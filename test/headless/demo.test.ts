import { afterAll, beforeAll, expect, test } from 'vitest';
import { withDemo } from '../../main/demo/demo-upstream.ts';
import { startDemoServer, type DemoServer } from '../../main/demo/demo-server.ts';
import type { FormatName } from '../../shared/format.ts';
import { systemClock } from '../../main/system/clock.ts';
import type { Clock } from '../../main/gateway/ports.ts';
import { formatByName } from '../../main/gateway/core/formats/index.ts';
import type { Framing } from '../../main/gateway/core/wire-format.ts';

// Words come without waiting.
const hasty: Clock = { ...systemClock, sleep: () => Promise.resolve() };
let demo: DemoServer;
beforeAll(async () => { demo = await startDemoServer(hasty); });
afterAll(() => demo.close());

const FORMATS: readonly { readonly format: FormatName; readonly framing: Framing; readonly whole: string; readonly streamed: string; readonly inBody: boolean }[] = [
  { format: 'anthropic', framing: 'sse', whole: '/v1/messages', streamed: '/v1/messages?beta=true', inBody: true },
  { format: 'chat', framing: 'sse', whole: '/v1/chat/completions', streamed: '/v1/chat/completions', inBody: true },
  { format: 'responses', framing: 'sse', whole: '/v1/responses', streamed: '/v1/responses', inBody: true },
  { format: 'gemini', framing: 'sse', whole: '/v1beta/models/MODEL:generateContent', streamed: '/v1beta/models/MODEL:streamGenerateContent?alt=sse', inBody: false },
  { format: 'gemini', framing: 'json_array', whole: '/v1/models/MODEL:generateContent', streamed: '/v1/models/MODEL:streamGenerateContent', inBody: false },
];

let exchanges = 0;
function exchange(place: (typeof FORMATS)[number], model: string, stream: boolean, header = true) {
  const id = `exchange-${++exchanges}`;
  const path = (stream ? place.streamed : place.whole).replace('MODEL', model === 'demo/ok' ? model : encodeURIComponent(model));
  const body = JSON.stringify(place.inBody ? { model, stream, stream_options: { include_usage: true }, n: id } : { contents: [], n: id });
  return async () => {
    const answer = await fetch(demo.url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...(header && { 'x-holdfast-demo-exchange': id }) }, body });
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
  };
}

function readStream(place: (typeof FORMATS)[number], bytes: Uint8Array) {
  const reader = formatByName(place.format).reader(place.framing);
  const events = [...reader.push(bytes), ...reader.finish()];
  return { labels: events.map((event) => event.label), errors: events.flatMap((event) => event.error ?? []), ended: reader.ended(), facts: reader.facts() };
}

const named = FORMATS.map((place) => [`${place.format} as ${place.framing}`, place] as const);

// SPEC 2.8
test.each(named)('%s: demo/ok streams an opening, words, an end and its usage', async (_name, place) => {
  const { status, bytes } = await exchange(place, 'demo/ok', true)();
  const { labels, ended, facts } = readStream(place, bytes);
  expect(status).toBe(200);
  expect(labels[0]).toBe('opening');
  expect(labels.filter((label) => label === 'content').length).toBeGreaterThan(10);
  expect(labels).toContain('end');
  expect(ended).toBe(true);
  expect(facts.model).toBe('demo/ok');
  expect(facts.usage).toMatchObject({ input: expect.any(Number), output: 14 });
});

test.each(named)('%s: demo/ok answers whole with its usage', async (_name, place) => {
  const { status, bytes } = await exchange(place, 'demo/ok', false)();
  expect(status).toBe(200);
  expect(formatByName(place.format).readWhole(bytes)).toMatchObject({ kind: 'answer', facts: { model: 'demo/ok', usage: { output: 14 } } });
});

test.each(named)('%s: demo/flaky fails twice with a transient 503, then answers, per exchange', async (_name, place) => {
  const one = exchange(place, 'demo/flaky', true);
  const other = exchange(place, 'demo/flaky', false);
  const statuses = [];
  for (const send of [one, other, one, other, one, other, one]) statuses.push((await send()).status);
  // The fourth of the first exchange begins again: its answer has been given.
  expect(statuses).toEqual([503, 503, 503, 503, 200, 200, 503]);
  const { bytes } = await exchange(place, 'demo/flaky', true)();
  expect(formatByName(place.format).readFailure({ status: 503, headers: {}, body: bytes, transientStatuses: [503], utcMs: 0 })).toMatchObject({ class: 'transient', hintMs: null });
});

test.each(named)('%s: demo/overloaded-stream breaks twice in its opening with a transient error, then streams', async (_name, place) => {
  const send = exchange(place, 'demo/overloaded-stream', true);
  for (let attempt = 1; attempt <= 2; attempt++) {
    const { status, bytes } = await send();
    const { labels, errors } = readStream(place, bytes);
    expect(status).toBe(200);
    expect(labels).not.toContain('content');
    expect(labels.indexOf('opening')).toBe(0);
    expect(errors).toMatchObject([{ class: 'transient' }]);
  }
  expect(readStream(place, (await send()).bytes).ended).toBe(true);
});

test.each(named)('%s: demo/overloaded-stream, asked for a whole answer, fails twice by status', async (_name, place) => {
  const send = exchange(place, 'demo/overloaded-stream', false);
  expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([503, 503, 200]);
});

test.each(named)('%s: demo/down never answers, and a model that is not there is a 404 of its format', async (_name, place) => {
  const send = exchange(place, 'demo/down', true);
  for (let attempt = 1; attempt <= 4; attempt++) expect((await send()).status).toBe(503);
  const { status, bytes } = await exchange(place, 'demo/none', true)();
  expect(status).toBe(404);
  expect(formatByName(place.format).readFailure({ status, headers: {}, body: bytes, transientStatuses: [503], utcMs: 0 })).toMatchObject({ class: 'model_missing' });
});

test('without the header of the gateway, requests with the same body belong together', async () => {
  const send = exchange(FORMATS[0]!, 'demo/flaky', false, false);
  expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([503, 503, 200]);
});

test('the demo stands at the end of the list until there is another upstream, and comes back when there is none', async () => {
  let stored: { id: string }[] = [];
  const config = { settings: () => ({}), routes: () => [], upstreams: () => stored, upstream: (id: string) => stored.find((one) => one.id === id) ?? null };
  const quiet = () => undefined;
  const demoConfig = withDemo(config as never, systemClock, { info: quiet, warn: quiet, error: quiet });
  expect(demoConfig.upstreams()).toEqual([]);
  await demoConfig.follow();
  const [upstream] = demoConfig.upstreams();
  expect(upstream).toMatchObject({ id: 'holdfast-demo', preset: 'demo', credential: { kind: 'none' }, formats: ['anthropic', 'chat', 'responses', 'gemini'] });
  expect(upstream!.models).toEqual(['demo/ok', 'demo/flaky', 'demo/overloaded-stream', 'demo/down']);
  expect(demoConfig.upstream('holdfast-demo')).toBe(upstream);
  expect((await fetch(`${upstream!.baseUrl}/v1/models`)).status).toBe(200);
  stored = [{ id: 'real' }];
  expect(demoConfig.upstreams()).toBe(stored);
  expect(demoConfig.upstream('holdfast-demo')).toBeNull();
  await demoConfig.follow();
  await expect(fetch(`${upstream!.baseUrl}/v1/models`)).rejects.toThrow();
  stored = [];
  await demoConfig.follow();
  expect(demoConfig.upstreams()).toHaveLength(1);
  await demoConfig.close();
  expect(demoConfig.upstreams()).toEqual([]);
});
