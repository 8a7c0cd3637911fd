import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { unpackHeaders } from '../../../main/store/contents/stored-headers.ts';
import { exportHead, exportLine } from '../../../main/store/export-text.ts';
import type { HoldfastDocument } from '../../../shared/document.ts';
import { answersWith, wordsOf } from '../../support/answers/index.ts';
import { documentFor, quickRetries } from '../../support/gateway-process.ts';
import { startLoggedGateway, type LoggedGateway } from '../../support/logged-gateway.ts';
import type { Script } from '../../support/scripted-upstream.ts';
import { says } from '../cases/support/talk.ts';

// R60, SPEC 2.3, 12.5: keys that must be found nowhere, put everywhere.

/** The user's key for the upstream, and the gateway's own: not random enough for a shape, so that only their value tells. */
const UPSTREAM_KEY = 'zq7upstreamcanary';
const GATEWAY_KEY = 'hf-zq8gatewaycanary';
const PROXY_PASSWORD = 'zq9proxycanary';
const HEADER_SECRET = 'zq6headercanary';
/** A key of somebody else, told by its shape. */
const FOREIGN_KEY = 'sk-ant-api03-canary0123456789abcdefCANARY';
const CANARY = /canary/i;

const EVERYWHERE = `${UPSTREAM_KEY} ${GATEWAY_KEY} ${HEADER_SECRET} ${FOREIGN_KEY}`;

function documentOf(url: string, part: Partial<HoldfastDocument['upstreams'][number]> = {}): HoldfastDocument {
  const document = documentFor(url, { ...quickRetries(1), 'logs.bodies': 'all' }, { kind: 'stored', value: UPSTREAM_KEY });
  return { ...document, upstreams: document.upstreams.map((upstream) => ({ ...upstream, headers: { 'x-extra-key': HEADER_SECRET }, ...part })), keys: [{ name: 'test', key: GATEWAY_KEY }] };
}

type Carrier = readonly [what: string, path: string, headers: Readonly<Record<string, string>>];

const CARRIERS: readonly Carrier[] = [
  ['authorization', '/v1/messages', { authorization: `Bearer ${GATEWAY_KEY}` }],
  ['x-api-key', '/v1/messages', { 'x-api-key': GATEWAY_KEY }],
  ['x-goog-api-key', '/v1/messages', { 'x-goog-api-key': GATEWAY_KEY }],
  ['the query', `/v1/messages?key=${GATEWAY_KEY}&beta=true`, {}],
  ['the path', `/k/${GATEWAY_KEY}/v1/messages`, {}],
  ['a foreign key beside it', `/k/${GATEWAY_KEY}/v1/messages?api_key=${FOREIGN_KEY}`, { authorization: `Bearer ${FOREIGN_KEY}`, 'x-goog-api-key': FOREIGN_KEY }],
  ['a cookie', '/v1/messages', { authorization: `Bearer ${GATEWAY_KEY}`, cookie: `session=${FOREIGN_KEY}; other=plaincanarycookie` }],
  ['a header for proxies', '/v1/messages', { authorization: `Bearer ${GATEWAY_KEY}`, 'proxy-authorization': `Basic ${Buffer.from('user:plaincanary').toString('base64')}` }],
  ['where it came from', '/v1/messages', { authorization: `Bearer ${GATEWAY_KEY}`, referer: `http://host/?key=${FOREIGN_KEY}&x=${UPSTREAM_KEY}` }],
  ['the name of a session', '/v1/messages', { authorization: `Bearer ${GATEWAY_KEY}`, 'x-session-affinity': FOREIGN_KEY }],
  ['the name of the program', '/v1/messages', { authorization: `Bearer ${GATEWAY_KEY}`, 'user-agent': FOREIGN_KEY }],
  ['a wrong key', '/v1/messages', { authorization: `Bearer ${FOREIGN_KEY}` }],
  ['a path that does not exist', `/v1/nothing?key=${FOREIGN_KEY}`, { authorization: `Bearer ${GATEWAY_KEY}` }],
];

const ANSWERS: readonly (readonly [what: string, stream: boolean, script: Script])[] = [
  ['a success that says it', false, answersWith(`your keys are ${EVERYWHERE}`)],
  ['a stream that says it, cut in the middle', true, answersWith(`${UPSTREAM_KEY} ${'.'.repeat(8)} ${GATEWAY_KEY} ${FOREIGN_KEY}`)],
  ['a refusal that repeats it', false, says(400, wordsOf.anthropic.error(400, `invalid key ${EVERYWHERE}`))],
  ['a key that is refused', false, says(401, wordsOf.anthropic.error(401, `invalid x-api-key ${EVERYWHERE}`))],
  ['a page that repeats it', false, says(502, `<html>${EVERYWHERE}</html>`, { 'content-type': 'text/html' })],
  ['a redirect that holds it', false, says(302, '', { location: `http://elsewhere/?key=${FOREIGN_KEY}&u=${UPSTREAM_KEY}` })],
  ['headers that hold it', false, says(200, wordsOf.anthropic.whole('m-1', 'Hello'), { 'x-echo': EVERYWHERE, 'set-cookie': `a=${FOREIGN_KEY}`, 'x-ratelimit-key': UPSTREAM_KEY, 'content-location': `http://h/?key=${FOREIGN_KEY}` })],
];

const body = (stream: boolean): string => JSON.stringify({
  model: 'm-1', stream, api_key: 'plaincanary', metadata: { user: `I am ${EVERYWHERE}` },
  messages: [{ role: 'user', content: `my .env says:\nANTHROPIC_API_KEY=${FOREIGN_KEY}\nPASSWORD=plaincanary\nand {"token":"${UPSTREAM_KEY}"}` }],
});

describe('a key that comes in any place leaves no trace (R60)', () => {
  it.each(ANSWERS)('when the answer is %s', async (_what, stream, script) => {
    const gateway = await startLoggedGateway((url) => documentOf(url));
    gateway.upstream.otherwise(script);
    for (const [, path, headers] of CARRIERS) {
      const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', redirect: 'manual', body: body(stream), headers: { 'content-type': 'application/json', ...headers } });
      await answer.text();
    }
    await expectNoTrace(gateway, CARRIERS.length);
  });

  it('nor does a password in the address of a proxy that cannot be reached', async () => {
    const gateway = await startLoggedGateway(() => documentOf('http://upstream.invalid', { proxy: `http://user:${PROXY_PASSWORD}@127.0.0.1:9` }));
    await (await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: body(false), headers: { 'content-type': 'application/json', authorization: `Bearer ${GATEWAY_KEY}` } })).text();
    await expectNoTrace(gateway, 1);
  });
});

async function expectNoTrace(gateway: LoggedGateway, count: number): Promise<void> {
  const { app } = gateway;
  const logged = await gateway.logged(count);
  // All of it is there, so that there is something to be found.
  expect(logged.filter(({ contents }) => contents !== null).length).toBeGreaterThanOrEqual(Math.max(1, count - 2));
  expect(logged.some(({ contents }) => contents?.request?.text?.includes('my .env says') === true)).toBe(true);
  expect(logged.some(({ contents }) => (contents?.answer?.bytes ?? 0) > 0)).toBe(true);
  // What the window can ask for, and what it is told.
  const { rows } = await app.store.logs.list({ view: 'requests', filter: {}, limit: 100 });
  const told = { logged, rows, events: gateway.events, keys: app.store.keys.list(), upstreams: app.config.shownUpstreams(), settings: app.config.settings(), health: app.gateway.health(), lines: gateway.log.lines, facets: await app.store.logs.facets() };
  for (const [what, value] of Object.entries(told)) expect(traces(JSON.stringify(value)), what).toEqual([]);
  for (const as of ['csv', 'ndjson'] as const) expect(traces(exportHead(as) + rows.map((row) => exportLine(as, row)).join('')), as).toEqual([]);
  // What lies on the disk, while it runs and after it.
  expect(tracesOnDisk(gateway)).toEqual([]);
  await gateway.close();
  expect(tracesOnDisk(gateway)).toEqual([]);
  expect(tracesInBlobs(join(gateway.dataDir, 'holdfast.db'))).toEqual([]);
}

function tracesOnDisk({ dataDir, secretFile }: LoggedGateway): readonly string[] {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(files.some((file) => file.endsWith('holdfast.db'))).toBe(true);
  // The one place where secrets live (SPEC 2.3).
  return files.filter((file) => file !== secretFile).flatMap((file) => traces(readFileSync(file, 'latin1')).map((trace) => `${file}: ${trace}`));
}

function tracesInBlobs(file: string): readonly string[] {
  const db = new Database(file, { readonly: true });
  try {
    const headers = (db.prepare('SELECT headers FROM gateway_log_contents').pluck().all() as Buffer[]).map((packed) => JSON.stringify(unpackHeaders(packed)));
    const bodies = (db.prepare('SELECT request AS body FROM gateway_log_bodies WHERE request IS NOT NULL UNION ALL SELECT answer FROM gateway_log_bodies WHERE answer IS NOT NULL').pluck().all() as Buffer[])
      .map((packed) => gunzipSync(packed).toString());
    expect(headers.length).toBeGreaterThan(0);
    expect(bodies.length).toBeGreaterThan(0);
    return [...headers, ...bodies].flatMap(traces);
  } finally {
    db.close();
  }
}

/** Where the canary stands, with what is around it. */
function traces(text: string): readonly string[] {
  return [...text.matchAll(new RegExp(CANARY, 'gi'))].map(({ index }) => text.slice(Math.max(0, index - 60), index + 30));
}
