// Who can open a connection at all (SPEC 1.1): loopback in both families, all interfaces only when the user wants it, and the way between the two.
import { networkInterfaces } from 'node:os';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { answersWith } from '../../support/answers/index.ts';
import { startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { upstreamOf } from '../../support/upstreams.ts';
import { harnessesOfTests, holdAnswers } from '../downstream/support/shared-harness.ts';
import { parseResponse, rawClient, requestText } from '../downstream/support/raw-client.ts';

const KEY = { 'x-api-key': 'hf-test' };
const ASK = '{"model":"m"}';
const started = harnessesOfTests();
const ownAddress = Object.values(networkInterfaces()).flat().find((one) => one?.internal === false && one.family === 'IPv4')?.address;
const health = async (port: number, host: string): Promise<number> => {
  const client = await rawClient(port, host);
  client.send(requestText('GET /healthz', { connection: 'close', host: host.includes(':') ? `[${host}]` : host }));
  return parseResponse(await client.closed()).status;
};

/** Local addresses of the sockets that listen on a port, from the tables of Linux. */
function listening(port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => readFileSync(table, 'utf8').split('\n').slice(1).flatMap((line) => {
    const [, local, , state] = line.trim().split(/\s+/);
    return state === '0A' && local?.endsWith(`:${wanted}`) === true ? [local.slice(0, -5)] : [];
  }));
}

describe('R51: the sockets that listen', () => {
  it.skipIf(process.platform !== 'linux')('are loopback alone by default, in both families', async () => { // SPEC 1.1
    const { port } = await started();
    expect(listening(port).sort()).toEqual(['00000000000000000000000001000000', '0100007F']);
  });

  it.skipIf(ownAddress === undefined)('refuse the network by default', async () => { // SPEC 1.1
    const { port } = await started();
    await expect(rawClient(port, ownAddress)).rejects.toThrow(/ECONNREFUSED/);
  });

  it.each(['127.0.0.1', '::1'])('of an upstream at %s alone are found by the name localhost', async (host) => { // SPEC 2.2
    const upstream = await startScriptedUpstream({ host });
    upstream.otherwise(answersWith('Hello'));
    const gateway = await startWholeGateway();
    gateway.upstreams.splice(0, 1, upstreamOf({ id: 'a', baseUrl: `http://localhost:${upstream.port}` }));
    expect((await gateway.post('/v1/messages', { model: 'm-1' })).status).toBe(200);
    await upstream.close();
  });
});

describe('the way to the network and back', () => {
  it('keeps the port, lets what runs finish, and asks for a key there always', async () => { // SPEC 1.1, 14
    const harness = await started(undefined, { 'gateway.require_key': false });
    const answer = holdAnswers(harness);
    const running = await rawClient(harness.port);
    running.send(requestText('POST /v1/messages', KEY, ASK));
    await harness.whenRuns(1);

    harness.settings = { ...harness.settings, 'gateway.bind': 'lan' };
    const there = await harness.endpoint.listen({ port: harness.port, host: '::' });
    expect(there).toMatchObject({ kind: 'listening', port: harness.port, url: `http://127.0.0.1:${harness.port}`, networkUrls: expect.any(Array) as unknown[] });
    for (const host of ['127.0.0.1', '::1', ...(ownAddress === undefined ? [] : [ownAddress])]) {
      expect(await health(harness.port, host), host).toBe(200);
      const client = await rawClient(harness.port, host);
      client.send(requestText('POST /v1/messages', { host: host.includes(':') ? `[${host}]` : host, connection: 'close' }, ASK));
      expect(parseResponse(await client.closed()).status).toBe(401);
    }
    if (ownAddress !== undefined) expect(there.kind === 'listening' && there.networkUrls).toContain(`http://${ownAddress}:${harness.port}`);

    const back = await harness.endpoint.listen({ port: harness.port });
    expect(back).toEqual({ kind: 'listening', port: harness.port, url: `http://127.0.0.1:${harness.port}` });
    if (ownAddress !== undefined) await expect(rawClient(harness.port, ownAddress)).rejects.toThrow(/ECONNREFUSED/);
    expect(await health(harness.port, '::1')).toBe(200);
    answer();
    await running.seen('{"ok":true}');
    running.reset();
  });

  it('that leads to an address somebody else has taken goes back to where it was', async () => { // SPEC 1.1
    const harness = await started();
    // Takes the port on an address that the gateway does not listen on yet.
    const other = createServer();
    await new Promise<void>((resolve, reject) => { other.on('error', reject).listen({ port: harness.port, host: '127.0.0.2' }, resolve); });
    expect((other.address() as AddressInfo).port).toBe(harness.port);
    const failed = await harness.endpoint.listen({ port: harness.port, host: '0.0.0.0' });
    expect(failed).toMatchObject({ kind: 'failed', problem: { kind: 'port_in_use', port: harness.port } });
    expect([await health(harness.port, '127.0.0.1'), await health(harness.port, '::1')]).toEqual([200, 200]);
    await new Promise((resolve) => { other.close(resolve); });
  });
});

describe('in the network', () => {
  it('names of this machine come in only when the user has listed them, whatever address they came to', async () => { // SPEC 1.5
    const harness = await started(undefined, { 'gateway.bind': 'lan' });
    const ask = (host: string) => harness.ask(requestText('POST /v1/messages', { ...KEY, host }, ASK));
    expect((await ask('box.local')).status).toBe(403);
    expect((await ask('10.0.0.9')).status).toBe(403);
    harness.settings = { ...harness.settings, 'gateway.allowed_hosts': ['box.local'] };
    expect((await ask('box.local:4653')).status).toBe(200);
  });
});
