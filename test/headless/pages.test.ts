// What stands behind the pages Upstreams and Routes: the window's requests on the composed app, with a real store and real sockets.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compose, type App } from '../../main/compose.ts';
import { createEditHandlers } from '../../main/ipc/edit-handlers.ts';
import { systemClock } from '../../main/system/clock.ts';
import { systemRandom } from '../../main/system/random.ts';
import { createSecretFile } from '../../main/system/secret-file.ts';
import type { UpstreamDraft } from '../../shared/upstream-edits.ts';
import { answersWith, failsWith } from '../support/answers/index.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { recordingLog, rowWith, temporaryFolder } from '../support/store-parts.ts';

async function anApp(dataDir = temporaryFolder()) {
  const composed = await compose({ dataDir, secretBox: createSecretFile(join(dataDir, 'secrets.json')), clock: systemClock, random: systemRandom, log: recordingLog(), version: '0', anyPort: true });
  if (composed.kind !== 'open') throw new Error(JSON.stringify(composed));
  const { app } = composed;
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= app.gateway.stop({ graceMs: 0 }).then(() => app.close()));
  onTestFinished(close);
  const { store, gateway, config } = app;
  const ask = createEditHandlers({ store, gateway, upstreams: () => config.shownUpstreams(), demo: () => config.upstreams().find(({ preset }) => preset === 'demo') ?? null });
  return { app, ask, close };
}
async function aServer() {
  const server = await startScriptedUpstream();
  onTestFinished(() => server.close());
  server.otherwise(answersWith('hello'));
  return server;
}
const draft = (base_url: string, part: Partial<UpstreamDraft> = {}): UpstreamDraft => ({ preset: 'generic', name: 'One', base_url, formats: ['chat'], credential: { kind: 'stored', value: 'sk-the-secret-key' }, headers: {}, proxy: 'system', models: [], max_in_flight: 0, enabled: true, ...part });
const given = (base_url: string) => ({ preset: 'generic' as const, name: 'One', base_url, formats: ['chat'] as const, credential: { kind: 'stored' as const, value: 'sk-the-secret-key' } });

async function post(app: App, model: string): Promise<number> {
  const state = app.gateway.state();
  const key = app.store.keys.list().map(({ id }) => app.store.keys.valueOf(id)).find((value) => value !== null);
  if (state.status !== 'running') throw new Error(state.status);
  const answer = await fetch(`${state.url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` }, body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }) });
  await answer.text();
  return answer.status;
}

// SPEC 2.8
test('the demo goes when a real upstream comes, can be brought back beside it, and hidden', async () => {
  const dataDir = temporaryFolder();
  const { app, ask, close } = await anApp(dataDir);
  const told: string[] = [];
  app.config.onChange((parts) => { told.push([...parts].sort().join()); });
  const names = () => app.config.upstreams().map(({ name }) => name);
  expect(names()).toEqual(['Demo']);
  await ask['upstreams.add'](given('http://127.0.0.1:9'));
  expect(names()).toEqual(['One']);
  expect(await app.showDemo(true)).toBe(true);
  expect(names()).toEqual(['One', 'Demo']);
  expect(told.at(-1)).toBe('appState,upstreams');
  await close();

  const again = await anApp(dataDir);
  const shown = () => again.app.config.upstreams().map(({ name }) => name);
  expect(shown()).toEqual(['One', 'Demo']);
  expect(await again.app.showDemo(false)).toBe(false);
  expect(shown()).toEqual(['One']);
  await again.ask['upstreams.remove']({ id: 'one' });
  await again.app.showDemo(false);
  expect(shown()).toEqual([]);
  expect(await again.app.showDemo(true)).toBe(true);
  // Left to itself again: it goes with the next one.
  await again.ask['upstreams.add'](given('http://127.0.0.1:9'));
  expect(shown()).not.toContain('Demo');
});

test('the demo itself can be tested', async () => {
  const { ask } = await anApp();
  const result = await ask['upstreams.test']({ kind: 'saved', id: 'holdfast-demo' });
  expect(result).toMatchObject({ ok: true, models: ['demo/ok', 'demo/flaky', 'demo/overloaded-stream', 'demo/down'] });
  expect(result.steps.find(({ step }) => step === 'auth')).toMatchObject({ state: 'passed', reason: 'no_key_asked' });
});

// SPEC 2.7
test('a draft is tested before it is saved, with the key that is typed; no secret is among the answers', async () => {
  const { ask } = await anApp();
  const server = await aServer();
  server.otherwise((call) => call.answer(200, { 'content-type': 'application/json' }, '{"data":[{"id":"m-1"}]}'));
  const probe = { kind: 'draft', id: null, upstream: draft(server.url) } as const;
  expect(await ask['upstreams.test'](probe)).toMatchObject({ ok: true, models: ['m-1'] });
  expect(await ask['upstreams.models'](probe)).toEqual({ ok: true, models: ['m-1'] });
  expect((await server.call(0)).header('authorization')).toBe('Bearer sk-the-secret-key');
  expect(await ask['upstreams.models']({ kind: 'draft', id: null, upstream: draft('ftp://x') })).toMatchObject({ ok: false, step: 'dns', reason: 'address_invalid' });
  expect(await ask['upstreams.test']({ kind: 'draft', id: null, upstream: draft('http://localhost:4653') })).toMatchObject({ ok: false, steps: [{ step: 'dns', state: 'failed', reason: 'address_self' }, {}, {}, {}, {}, {}] });
  expect(await ask['upstreams.test']({ kind: 'draft', id: null, upstream: draft(server.url, { headers: { host: 'x' } }) })).toMatchObject({ ok: false, steps: [{ reason: 'draft_invalid' }, {}, {}, {}, {}, {}] });
  expect(await ask['upstreams.test']({ kind: 'saved', id: 'gone' })).toMatchObject({ ok: false });
  const saved = await ask['upstreams.add'](given(server.url));
  await ask['upstreams.update']({ id: 'one', upstream: draft(server.url, { credential: null, name: 'Renamed' }) });
  expect(JSON.stringify([saved, await ask['upstreams.reorder']({ ids: [] })])).not.toContain('the-secret');
});

// SPEC 9.4
test('health is told by upstream and model, and an edit or the reset button clears it', async () => {
  const { app, ask } = await anApp();
  const server = await aServer();
  server.otherwise(failsWith(401));
  await ask['upstreams.add'](given(server.url));
  await app.start({ port: 0 });
  const health = () => ask['health.list'](null);
  expect(await post(app, 'm')).toBe(401);
  expect(await health()).toMatchObject([{ upstreamId: 'one', resting: true, attempts: 1, successShare: 0, lastError: { class: 'auth', status: 401 }, models: [{ model: 'm', restReason: 'auth' }] }]);
  await ask['health.reset']({ id: 'one' });
  expect(await health()).toMatchObject([{ resting: false, attempts: 0, lastError: null, models: [] }]);
  await post(app, 'm');
  expect(await health()).toMatchObject([{ resting: true }]);
  await ask['upstreams.update']({ id: 'one', upstream: draft(server.url, { credential: { kind: 'stored', value: 'sk-new' } }) });
  expect(await health()).toMatchObject([{ resting: false }]);
  server.otherwise(answersWith('hello'));
  expect(await post(app, 'm')).toBe(200);
  expect(await health()).toMatchObject([{ attempts: 1, successShare: 1, retriedShare: 0, firstContentMs: expect.any(Number), inFlight: 0 }]);
});

// SPEC 9.1
test('a pattern is held against the last 20 models asked for, and a route ahead takes what it takes', async () => {
  const { app, ask } = await anApp();
  await ask['upstreams.add'](given('http://127.0.0.1:9'));
  const noted = (n: number, model: string | null): void => { app.store.journal.note({ kind: 'finished', id: `x${n}`, row: rowWith({ id: `x${String(n).padStart(3, '0')}`, started_at: n, model_asked: model }) }); };
  for (let n = 0; n < 30; n++) noted(n, `old-${n}`);
  ['claude-a', 'gpt-5', null, 'claude-b', 'gpt-5'].forEach((model, place) => { noted(100 + place, model); });
  await app.store.flush();
  const route = (pattern: string) => ask['routes.save']({ id: null, pattern, strategy: 'priority', candidates: [{ upstream: 'one', model: null }], policy: null });
  await route('gpt-*');
  await route('*-5');
  const preview = await ask['routes.preview']({ pattern: ' claude-* ', id: null });
  expect(preview).toHaveLength(20);
  expect(preview.slice(0, 4)).toEqual([
    { model: 'gpt-5', matches: false, takenBy: 'gpt' }, { model: 'claude-b', matches: true, takenBy: null }, { model: 'claude-a', matches: true, takenBy: null }, { model: 'old-29', matches: false, takenBy: null },
  ]);
  // The first of all has nobody ahead.
  expect((await ask['routes.preview']({ pattern: 'gpt-*', id: 'gpt' }))[0]).toEqual({ model: 'gpt-5', matches: true, takenBy: null });
  expect((await ask['routes.reorder']({ ids: ['5'] })).map((one) => one.id)).toEqual(['5', 'gpt']);
  expect((await ask['routes.list'](null)).map((one) => one.id)).toEqual(['5', 'gpt']);
  expect(await ask['routes.dry_run']({ model: 'gpt-5', format: 'chat', streamed: true, answers: [], health: 'present' })).toMatchObject({ route: { id: '5', pattern: '*-5' }, steps: [{ kind: 'attempt' }, { kind: 'released' }, { kind: 'end', outcome: 'success' }] });
});

// SPEC 14
test('an upstream that is deleted while its exchange waits ends it, and bringing it back serves the next', async () => {
  const { app, ask } = await anApp();
  const server = await aServer();
  await app.store.settings.set('gateway.retry_policy', { baseMs: 200, maxMs: 200, jitter: 0 });
  await app.store.settings.set('gateway.retry_preset', 'custom');
  await ask['upstreams.add'](given(server.url));
  await app.start({ port: 0 });
  server.otherwise(failsWith(503));
  const pausing = new Promise<void>((resolve) => { app.gateway.onEvent((event) => { if (event.kind === 'pausing') resolve(); }); });
  const waiting = post(app, 'm');
  await pausing;
  const removed = await ask['upstreams.remove']({ id: 'one' });
  expect(await waiting).toBe(503);
  expect(removed.kind === 'removed' && await ask['upstreams.restore']({ undo: removed.undo })).toBe('restored');
  server.otherwise(answersWith('hello'));
  expect(await post(app, 'm')).toBe(200);
  expect((await server.call(server.calls.length - 1)).header('authorization')).toBe('Bearer sk-the-secret-key');
});
