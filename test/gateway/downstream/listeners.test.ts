import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { nextFreePort } from '../../../main/gateway/downstream/listeners.ts';
import { listeningInodes, nameFromLsof, nameFromTasklist, pidFromNetstat, portOwner } from '../../../main/gateway/downstream/port-owner.ts';
import { startHarness } from './support/harness.ts';
import type { Harness } from './support/harness.ts';
import { holdAnswers } from './support/shared-harness.ts';
import { parseResponse, rawClient, requestText } from './support/raw-client.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => { await Promise.all(closers.splice(0).map((close) => close())); });

async function harnessed(): Promise<Harness> {
  const harness = await startHarness();
  closers.push(() => harness.endpoint.close());
  return harness;
}

function taken(host: string, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server: Server = createServer().listen({ port, host }, () => { resolve((server.address() as AddressInfo).port); }).on('error', reject);
    closers.push(() => new Promise((closed) => { server.close(closed); }));
  });
}

async function health(port: number, host: string): Promise<number> {
  const client = await rawClient(port, host);
  client.send(requestText('GET /healthz', { connection: 'close', host: host === '::1' ? `[::1]:${port}` : `${host}:${port}` }));
  return parseResponse(await client.closed()).status;
}

describe('listening', () => {
  it('answers on both loopback addresses at one port', async () => { // SPEC 1.1
    const { port } = await harnessed();
    expect(await health(port, '127.0.0.1')).toBe(200);
    expect(await health(port, '::1')).toBe(200);
  });

  it.each(['127.0.0.1', '::1'])('names the owner of a port that is taken on %s, and a free one', async (host) => { // SPEC 1.1, 15
    const port = await taken(host);
    const harness = await harnessed();
    const failed = await harness.endpoint.listen({ port });
    expect(failed).toEqual({ kind: 'failed', problem: { kind: 'port_in_use', port, owner: expect.stringMatching(/node|vitest|Main/i) as string, freePort: expect.any(Number) as number } });
    const free = failed.kind === 'failed' ? failed.problem.freePort ?? 0 : 0;
    expect(free).toBeGreaterThan(port);
    // The old listener stays.
    expect(await health(harness.port, '127.0.0.1')).toBe(200);
    expect(await harness.endpoint.listen({ port: free })).toEqual({ kind: 'listening', port: free, url: `http://127.0.0.1:${free}` });
    expect(await health(free, '127.0.0.1')).toBe(200);
    await expect(rawClient(harness.port)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('lets requests that run finish on the old port', async () => { // SPEC 1.1
    const harness = await harnessed();
    const answer = holdAnswers(harness);
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', { 'x-api-key': 'hf-test' }, '{"model":"m"}'));
    await harness.whenRuns(1);
    expect((await harness.endpoint.listen({ port: 0 })).kind).toBe('listening');
    answer();
    await client.seen('{"ok":true}');
    client.reset();
  });

  it('stays where it is when asked for the same port', async () => { // SPEC 1.1
    const { endpoint, port } = await harnessed();
    expect(await endpoint.listen({ port })).toMatchObject({ kind: 'listening', port });
    expect(await health(port, '127.0.0.1')).toBe(200);
  });

  it('says when an address is not of this machine', async () => { // SPEC 15
    const { endpoint } = await harnessed();
    expect(await endpoint.listen({ port: 0, host: '192.0.2.1' })).toMatchObject({ kind: 'failed', problem: { kind: 'address_unavailable' } });
  });

  it('ends every connection when it closes', async () => { // SPEC 17
    const harness = await startHarness(({ reply }) => new Promise((resolve) => { reply.gone.addEventListener('abort', () => { resolve(); }); }));
    const idle = await rawClient(harness.port);
    const busy = await rawClient(harness.port);
    busy.send(requestText('POST /v1/messages', { 'x-api-key': 'hf-test' }, '{"model":"m"}'));
    const { reply } = await harness.whenRuns(1);
    await harness.endpoint.close();
    expect(reply.gone.aborted).toBe(true);
    await Promise.all([idle.closed(), busy.closed()]);
    expect(harness.clock.pending()).toBe(0);
  });

  it('can be closed twice', async () => {
    const { endpoint, port } = await startHarness();
    await endpoint.close();
    await endpoint.close();
    await expect(rawClient(port)).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('the owner of a port', () => {
  it('is found for a port of this process', async () => { // SPEC 1.1
    const port = await taken('127.0.0.1');
    expect(await portOwner(port)).not.toBeNull();
    expect(await portOwner(port, 'aix')).toBeNull();
  });

  it('is nobody for a free port', async () => {
    const free = await nextFreePort(await taken('127.0.0.1'));
    expect(free).not.toBeNull();
    expect(await portOwner(free ?? 0)).toBeNull();
  });

  it('is read from the tables of each system', () => { // SPEC 1.1
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      '   0: 0100007F:122D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0 100 0 0 10 0',
      '   1: 0100007F:122D 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 222 1 0 20 4 30 10 -1',
      '   2: 0100007F:22B8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 333 1 0 100 0 0 10 0',
    ].join('\n');
    expect(listeningInodes(table, 4_653)).toEqual(['111']);
    expect(nameFromLsof('p4711\ncollama\nf3\n')).toBe('ollama');
    expect(nameFromLsof('')).toBeNull();
    const netstat = [
      '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
      '  TCP    127.0.0.1:4653         127.0.0.1:50000        HERGESTELLT      1',
      '  TCP    127.0.0.1:14653        0.0.0.0:0              ABH\u00d6REN         2',
      '  TCP    127.0.0.1:4653         0.0.0.0:0              ABH\u00d6REN         4711',
    ].join('\r\n');
    expect(pidFromNetstat(netstat, 4_653)).toBe('4711');
    expect(pidFromNetstat(netstat, 4_654)).toBeNull();
    expect(nameFromTasklist('"ollama app.exe","4711","Console","1","50.000 K"\r\n')).toBe('ollama app.exe');
    expect(nameFromTasklist('INFO: No tasks are running\r\n')).toBeNull();
  });
});
