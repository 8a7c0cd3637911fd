// A page of another origin in a real Chromium, against the endpoint of the running app (SPEC 1.5): with no key asked for, the worst case.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ask, documentFor, startWorld, well, type World } from './support/world.ts';

const startAttacked = async (): Promise<World> => {
  const world = await startWorld({ args: ['--host-resolver-rules=MAP evil.test 127.0.0.1'], document: (url) => documentFor(url, 50, { 'gateway.require_key': false }) });
  world.upstream.otherwise(well);
  // By then the endpoint is open.
  await world.page();
  return world;
};

/** Loads an address in a window of a stranger, with a session of its own, and runs a script there. */
function inForeignPage<T>({ app }: World, address: string, script: string): Promise<T> {
  return app.electron.evaluate(async ({ BrowserWindow }, { address: url, script: code }) => {
    const window = new BrowserWindow({ show: false, webPreferences: { partition: 'stranger', sandbox: true } });
    try {
      await window.loadURL(url);
      return await window.webContents.executeJavaScript(code) as T;
    } finally {
      window.destroy();
    }
  }, { address, script });
}

async function strangerSite(): Promise<string> {
  const server = createServer((_request, response) => { response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>evil</title><p>hello'); });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => { server.close(); });
  return `http://evil.test:${(server.address() as AddressInfo).port}/`;
}

it('a page can neither read nor spend: no fetch, beacon, picture, script, event source or WebSocket of it reaches an upstream', async () => {
  const world = await startAttacked();
  const tried = await inForeignPage<Record<string, string>>(world, await strangerSite(), `(async () => {
    const url = ${JSON.stringify(world.url)};
    const body = JSON.stringify({ model: 'm-test', max_tokens: 16, messages: [{ role: 'user', content: 'hello' }] });
    const send = (path, init) => fetch(url + path, init).then(async (response) => response.type + ' ' + response.status + ' ' + (await response.text()).length, () => 'refused');
    const element = (name, set) => new Promise((resolve) => {
      const one = document.createElement(name);
      one.onload = () => resolve('loaded');
      one.onerror = () => resolve('refused');
      Object.assign(one, set);
      document.body.append(one);
    });
    return {
      simple: await send('/v1/messages', { method: 'POST', body }),
      opaque: await send('/v1/messages', { method: 'POST', body, mode: 'no-cors', headers: { 'content-type': 'text/plain' } }),
      form: await send('/v1/messages', { method: 'POST', body: new URLSearchParams({ model: 'm' }), mode: 'no-cors' }),
      asked: await send('/v1/messages', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
      keyed: await send('/v1/messages?key=' + ${JSON.stringify(world.key)}, { method: 'POST', body, headers: { 'content-type': 'application/json', 'x-api-key': ${JSON.stringify(world.key)} } }),
      models: await send('/v1/models', {}),
      health: await send('/healthz', {}),
      file: await send('/v1/files', { mode: 'no-cors' }),
      beacon: String(navigator.sendBeacon(url + '/v1/messages', body)),
      picture: await element('img', { src: url + '/v1/files/x' }),
      script: await element('script', { src: url + '/v1/models' }),
      socket: await new Promise((resolve) => { const socket = new WebSocket(url.replace('http', 'ws') + '/v1/responses'); socket.onopen = () => resolve('open'); socket.onerror = () => resolve('refused'); }),
      events: await new Promise((resolve) => { const source = new EventSource(url + '/v1/files'); source.onopen = () => resolve('open'); source.onerror = () => { source.close(); resolve('refused'); }; }),
    };
  })()`);
  const { opaque, form, file, beacon, ...rest } = tried;
  // What may be sent without asking comes back with nothing in it.
  expect([opaque, form, file]).toEqual(['opaque 0 0', 'opaque 0 0', 'opaque 0 0']);
  expect(beacon).toBe('true');
  expect(new Set(Object.values(rest))).toEqual(new Set(['refused']));
  // The beacon has no end to wait for: a request of a program behind it has.
  expect((await ask(world)).status).toBe(200);
  expect(world.upstream.calls).toHaveLength(1);
}, 120_000);

it('a name that a page has turned to this machine leads nowhere', async () => { // DNS rebinding
  const world = await startAttacked();
  const rebound = world.url.replace('127.0.0.1', 'evil.test');
  // The page and the gateway are one origin now; nothing of the browser stands between them.
  const tried = await inForeignPage<readonly string[]>(world, `${rebound}/healthz`, `(async () => {
    const send = (path, init) => fetch(path, init).then(async (response) => response.status + ' ' + ((await response.json()).error ? 'error' : 'answer'), () => 'refused');
    return [
      document.body.innerText.includes('host_not_allowed') ? 'refused' : document.body.innerText,
      await send('/v1/models', {}),
      await send('/v1/messages', { method: 'POST', body: '{"model":"m-test","messages":[]}', headers: { 'content-type': 'application/json', 'x-api-key': ${JSON.stringify(world.key)} } }),
    ];
  })()`);
  expect(tried).toEqual(['refused', '403 error', '403 error']);
  expect(world.upstream.calls).toHaveLength(0);
}, 120_000);
