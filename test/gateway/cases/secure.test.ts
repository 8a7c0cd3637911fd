import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { WHOLE_ANSWER } from '../../support/anthropic-stream.ts';
import { anArrival, anEdge, anOrder, relayed } from '../../support/attempts.ts';

const pem = (name: string): string => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');

describe('R30: HTTP/2 is not spoken with upstreams (DESIGN 6)', () => {
  it('an upstream that could is offered HTTP/1.1 and nothing else, and answers by it', async () => {
    const offers: (readonly string[])[] = [];
    const server = createServer({ key: pem('loopback.key'), cert: pem('loopback.pem'), ALPNCallback: ({ protocols }) => {
      offers.push(protocols);
      return protocols.includes('h2') ? 'h2' : 'http/1.1';
    } }, (socket) => {
      socket.on('error', () => undefined).once('data', (head: Buffer) => {
        expect(head.toString()).toMatch(/^POST \/v1\/messages HTTP\/1\.1\r\n/);
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${WHOLE_ANSWER.length}\r\nconnection: close\r\n\r\n${WHOLE_ANSWER}`);
      });
    });
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    const edge = anEdge({ certificates: [pem('ca.pem')] });
    const { sink } = await relayed(edge.open(anOrder(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, { arrival: anArrival({ streamed: false }) })));
    expect(sink.text()).toBe(WHOLE_ANSWER);
    expect(offers).toEqual([['http/1.1']]);
    await edge.close();
    await new Promise<void>((resolve) => { server.close(() => { resolve(); }); });
  });
});
