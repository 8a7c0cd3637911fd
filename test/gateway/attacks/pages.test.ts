// Web pages must not be able to spend the user's money (SPEC 1.5): what a page of another origin can make a browser send, byte for byte.
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../shared/settings.ts';
import type { Harness } from '../downstream/support/harness.ts';
import { sharedHarness } from '../downstream/support/shared-harness.ts';
import { requestText } from '../downstream/support/raw-client.ts';

let harness: Harness;
// The worst case: no key is asked for.
sharedHarness({ 'gateway.require_key': false }, (made) => { harness = made; });

const PAGE = { 'origin': 'https://evil.example', 'sec-fetch-site': 'cross-site', 'user-agent': 'Mozilla/5.0' };
const BODY = '{"model":"m","messages":[]}';
const post = (headers: Record<string, string>, body = BODY, path = '/v1/chat/completions') => harness.ask(requestText(`POST ${path}`, headers, body));

describe('a page of another origin', () => {
  it.each<readonly [string, () => ReturnType<typeof post>]>([
    ['a simple POST with JSON as text/plain', () => post({ ...PAGE, 'content-type': 'text/plain;charset=UTF-8', 'sec-fetch-mode': 'no-cors' })],
    ['a POST of a form', () => post({ ...PAGE, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-mode': 'navigate' }, '{"model":"m","a=":"b"}')],
    ['a POST of a form as text', () => post({ ...PAGE, 'content-type': 'text/plain', 'sec-fetch-mode': 'navigate' }, '{"model":"m","x":"=\r\n"}')],
    ['a POST of a form with files', () => post({ ...PAGE, 'content-type': 'multipart/form-data; boundary=x' }, '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n{}\r\n--x--\r\n')],
    ['a POST with JSON, as if it had been allowed to', () => post({ ...PAGE, 'content-type': 'application/json' })],
    ['a POST with the right key in the address', () => post(PAGE, BODY, '/v1/chat/completions?key=hf-test')],
    ['a POST with the right key before the path', () => post(PAGE, BODY, '/k/hf-test/v1/chat/completions')],
    ['a page without an origin of its own', () => post({ ...PAGE, origin: 'null' })],
    ['a page of another port of this machine', () => post({ ...PAGE, 'origin': 'http://localhost:3000', 'sec-fetch-site': 'same-site' })],
    ['a page under the name of the gateway itself', () => post({ ...PAGE, 'origin': `http://127.0.0.1:${harness.port}`, 'sec-fetch-site': 'same-origin' })],
    ['a beacon', () => post({ ...PAGE, 'content-type': 'text/plain', 'sec-fetch-dest': 'empty' }, BODY, '/v1/messages')],
    ['a picture, which carries no origin', () => harness.ask(requestText('GET /v1/files/x', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }))],
    ['a script of another port', () => harness.ask(requestText('GET /v1/models', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }))],
    ['a DELETE', () => harness.ask(requestText('DELETE /v1/files/x', PAGE))],
  ])('gets 403 and reaches nothing: %s', async (_how, send) => { // SPEC 1.5
    const answer = await send();
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('origin_not_allowed');
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(harness.runs).toHaveLength(0);
  });

  it.each(['POST', 'GET', 'DELETE', 'PUT'])('may not ask first for %s, nor for the network behind it', async (method) => { // SPEC 1.5
    for (const path of ['/v1/messages', '/v1/models', '/healthz', '/nowhere']) {
      const preflight = await harness.ask(requestText(`OPTIONS ${path}`, { ...PAGE, 'access-control-request-method': method, 'access-control-request-headers': 'authorization', 'access-control-request-private-network': 'true' }));
      expect(preflight.status).toBe(403);
      expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it('opens no WebSocket', async () => { // SPEC 1.3, 1.5
    const upgrade = { 'connection': 'Upgrade', 'upgrade': 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    for (const path of ['/v1/responses', '/v1/realtime', '/']) {
      const answer = await harness.ask(requestText(`GET ${path}`, { ...PAGE, ...upgrade }));
      expect(answer.status).toBe(403);
    }
    expect((await harness.ask(requestText('GET /v1/responses', upgrade))).status).toBe(426);
    expect(harness.runs).toHaveLength(0);
  });

  it('reaches nothing by a name that it has turned to this machine (DNS rebinding)', async () => { // SPEC 1.5
    // To the browser it is one origin then: no Origin comes with a GET, and of a POST it is the page's own.
    for (const host of ['evil.example', `evil.example:${harness.port}`, '127.0.0.1.evil.example', 'localhost.evil.example', '127.0.0.1@evil.example', 'evil.example#localhost', '0x7f.1', '2130706433', '127.1', '[::ffff:8.8.8.8]', '']) {
      const read = await harness.ask(requestText('GET /v1/models', { host, 'sec-fetch-site': 'same-origin' }));
      const sent = await harness.ask(requestText('POST /v1/messages', { host, 'origin': `http://${host}`, 'sec-fetch-site': 'same-origin' }, BODY));
      expect([read.status, sent.status], host).toEqual([403, 403]);
    }
    expect(harness.runs).toHaveLength(0);
  });

  it('is told from a program, which sends none of this', async () => { // SPEC 1.5
    expect((await post({})).status).toBe(200);
    expect((await post({ 'sec-fetch-site': 'none' })).status).toBe(200);
    expect((await post({ 'sec-fetch-mode': 'cors' })).status).toBe(200);
    expect(harness.runs).toHaveLength(3);
  });

  it('sends JSON or nothing, also a program', async () => { // SPEC 1.5
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/json', 'application/jsonx', '']) expect((await post({ 'content-type': type })).status).toBe(415);
    expect(harness.runs).toHaveLength(0);
  });
});

describe('a key in the address', () => {
  it('is in nothing that is kept of the request, let in or refused', async () => { // SPEC 1.4, 12.5
    const key = 'hf-Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4OWFiY2RlZmdoaWo';
    harness.settings = defaultSettings();
    const paths = [`/v1/messages?key=${key}`, `/v1/messages?Key=${key}`, `/v1/messages?api_key=${key}&a=b`, `/v1/messages?%6bey=${key}`, `/k/${key}/v1/messages`, `/v1/${key}`, `/v1/files/${key}`, `/v1/messages?x=${key}`, `/k/${key}`, `http://localhost/k/${key}/v1/nothing?key=${key}`];
    for (const path of paths) for (const body of [BODY, null]) {
      const answer = await harness.ask(requestText(`${body === null ? 'GET' : 'POST'} ${path}`, {}, body));
      expect(answer.body).not.toContain(key.slice(3, 30));
    }
    const open = { ...harness.settings, 'gateway.require_key': false };
    harness.settings = open;
    for (const path of paths) await harness.ask(requestText(`POST ${path}`, {}, BODY));
    expect(harness.refused.length).toBeGreaterThan(15);
    const kept = JSON.stringify([harness.refused, harness.logged, harness.runs.map(({ arrival: { path, headers, client, sessionId, keyName } }) => ({ path, headers, client, sessionId, keyName }))]);
    expect(kept).not.toContain(key.slice(3, 30));
  });
});
