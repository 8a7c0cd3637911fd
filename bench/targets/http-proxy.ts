// The usual way to put a proxy into Fastify. `node bench/targets/http-proxy.ts http://127.0.0.1:PORT` prints {"port":...} and ends with SIGTERM.
import type { AddressInfo } from 'node:net';
import httpProxy from '@fastify/http-proxy';
import { fastify } from 'fastify';

const app = fastify({ bodyLimit: 64 * 1024 * 1024 });
await app.register(httpProxy, { upstream: process.argv[2] ?? '', undici: { connections: 2_048, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 } });
await app.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
process.stdout.write(`${JSON.stringify({ port: (app.server.address() as AddressInfo).port })}\n`);
