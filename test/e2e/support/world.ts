import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { openStore, type Store } from '../../../main/store/store.ts';
import { systemClock } from '../../../main/system/clock.ts';
import { createSecretFile } from '../../../main/system/secret-file.ts';
import { startScriptedUpstream, type Script, type ScriptedUpstream } from '../../support/scripted-upstream.ts';
import { startApp, temporaryFolder, type StartedApp, type StartOptions } from './app.ts';

/** An app on a data folder of its own, and what a test needs around it. Everything ends with the test. */
export interface World {
  readonly app: StartedApp;
  readonly dataDir: string;
  readonly upstream: ScriptedUpstream;
  readonly url: string;
  readonly key: string;
  /** The window's page, with its first page shown. */
  page(): Promise<Page>;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Opens the store of a data folder while no app has it. */
export async function withStore<T>(dataDir: string, use: (store: Store) => Promise<T>): Promise<T> {
  const opening = await openStore({ dataDir, secretBox: createSecretFile(join(dataDir, 'secrets.json')), log: silent, clock: systemClock });
  if (opening.kind !== 'open') throw new Error(`the store was refused: ${JSON.stringify(opening)}`);
  try {
    return await use(opening.store);
  } finally {
    await opening.store.close();
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => { server.close(resolve); });
  return port;
}

/** A document with one upstream and pauses of `baseMs`. */
export function documentFor(upstream: string, baseMs: number, settings: Readonly<Record<string, unknown>> = {}): object {
  return {
    holdfast: 1,
    settings: {
      'gateway.retry_preset': 'custom',
      'gateway.retry_policy': { backoff: 'constant', baseMs, maxMs: baseMs, jitter: 0 },
      ...settings,
    },
    upstreams: [{ id: 'scripted', name: 'Scripted', preset: 'generic', base_url: upstream, formats: ['anthropic', 'chat', 'responses', 'gemini'], credential: { kind: 'stored', value: 'sk-test-of-the-window' }, proxy: 'none' }],
  };
}

export interface WorldOptions extends Partial<Omit<StartOptions, 'dataDir'>> {
  /** The document in force before the start; none leaves the folder fresh. */
  readonly document?: (upstream: string) => object;
  /** The port to listen on; a free one when not given. */
  readonly port?: number;
}

/** A data folder and an upstream for an app that is not started yet. */
export type Ground = Pick<World, 'dataDir' | 'upstream' | 'url' | 'key'>;

/** Prepares a data folder and starts a scripted upstream. */
export async function prepareGround({ document, port }: Pick<WorldOptions, 'document' | 'port'> = {}): Promise<Ground> {
  const folder = temporaryFolder();
  onTestFinished(() => { folder.remove(); });
  const upstream = await startScriptedUpstream();
  onTestFinished(() => upstream.close());
  const chosen = port ?? await freePort();
  const key = await withStore(folder.path, async (store) => {
    await store.settings.set('gateway.port', chosen);
    if (document !== undefined) {
      const outcome = await store.importDocument(document(upstream.url));
      if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.faults));
    }
    return store.keys.valueOf(store.keys.list()[0]?.id ?? '') ?? '';
  });
  return { dataDir: folder.path, upstream, key, url: `http://127.0.0.1:${chosen}` };
}

/** Prepares a data folder, starts a scripted upstream and the app. */
export async function startWorld({ document, port, ...start }: WorldOptions = {}): Promise<World> {
  const ground = await prepareGround({ ...(document && { document }), ...(port !== undefined && { port }) });
  const app = await startApp({ dataDir: ground.dataDir, ...start });
  onTestFinished(() => app.stop());
  return {
    ...ground, app,
    async page() {
      const page = await app.page();
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
  };
}

/** Lays a document on the disk and makes the app's file dialog choose it. */
export async function chooseInDialog({ app, dataDir }: World, document: unknown): Promise<void> {
  const file = join(dataDir, 'document.json');
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  await app.electron.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, file);
}

/** Answers every message box with this button, and remembers what it said. */
export async function answerDialogs({ app }: World, button: number): Promise<void> {
  await app.electron.evaluate(({ dialog }, response) => {
    const seen: unknown[] = [];
    Object.assign(globalThis, { seenDialogs: seen });
    dialog.showMessageBox = (...given: unknown[]) => {
      seen.push(JSON.parse(JSON.stringify(given.at(-1))));
      return Promise.resolve({ response, checkboxChecked: false });
    };
  }, button);
}

/** The message boxes that `answerDialogs` has answered so far. */
export function seenDialogs({ app }: World): Promise<{ readonly message: string; readonly detail: string; readonly buttons: string[] }[]> {
  return app.electron.evaluate(() => (globalThis as unknown as { seenDialogs: { message: string; detail: string; buttons: string[] }[] }).seenDialogs);
}

/** Sends one anthropic request as a client would. */
export async function ask(world: Pick<World, 'url' | 'key'>, body: Readonly<Record<string, unknown>> = {}): Promise<{ readonly status: number; readonly text: string; readonly retries: string | null }> {
  const response = await fetch(`${world.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': world.key, 'anthropic-version': '2023-06-01', 'user-agent': 'claude-cli/2.1.328 (external, cli)' },
    body: JSON.stringify({ model: 'm-test', max_tokens: 16, messages: [{ role: 'user', content: 'hello' }], ...body }),
  });
  return { status: response.status, text: await response.text(), retries: response.headers.get('x-holdfast-retries') };
}

/** An upstream that is overloaded. */
export const overloaded: Script = async (call) => {
  await call.body;
  await call.answer(503, { 'content-type': 'application/json' }, JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }));
};

/** An upstream that answers. */
export const well: Script = async (call) => {
  await call.body;
  await call.answer(200, { 'content-type': 'application/json' }, JSON.stringify({
    id: 'msg_1', type: 'message', role: 'assistant', model: 'm-test', content: [{ type: 'text', text: 'hello to you' }], stop_reason: 'end_turn', stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 3 },
  }));
};
