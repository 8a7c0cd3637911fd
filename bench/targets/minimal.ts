// The least a gateway in Node can do: a bare server, undici's dispatch, nothing parsed, nothing kept, nothing logged.
// `node bench/targets/minimal.ts http://127.0.0.1:PORT` prints {"port":...} and ends with SIGTERM.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool, type Dispatcher } from 'undici';

const HOP_BY_HOP = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'expect', 'upgrade', 'te', 'trailer', 'proxy-connection']);
const pool = new Pool(process.argv[2] ?? '', { connections: 2_048, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });

function endToEnd(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !HOP_BY_HOP.has(name)) passed[name] = value;
  }
  return passed;
}

function pass(request: IncomingMessage, response: ServerResponse): void {
  let upstream: Dispatcher.DispatchController | null = null;
  response.on('drain', () => { upstream?.resume(); });
  response.on('close', () => { if (!response.writableFinished) upstream?.abort(new Error('the client left')); });
  pool.dispatch({ path: request.url ?? '/', method: request.method as Dispatcher.HttpMethod, headers: endToEnd(request.headers), body: request }, {
    onRequestStart: (controller) => { upstream = controller; },
    onResponseStart: (_controller, status, headers) => { response.writeHead(status, endToEnd(headers)); },
    onResponseData: (controller, chunk) => { if (!response.write(chunk)) controller.pause(); },
    onResponseEnd: () => { response.end(); },
    onResponseError: () => { response.destroy(); },
  });
}

const server = createServer({ noDelay: true, keepAliveTimeout: 60_000, requestTimeout: 0 }, pass);
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => { process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`); });
