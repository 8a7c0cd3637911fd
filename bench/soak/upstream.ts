import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ANSWERS, type Answers } from '../answers.ts';
import { wait } from '../measure.ts';
import type { Dice } from './dice.ts';

type Act = (asked: Asked) => void | Promise<void>;
interface Asked { readonly request: IncomingMessage; readonly response: ServerResponse; readonly answers: Answers; readonly anthropic: boolean; readonly streamed: boolean; readonly dice: Dice }

const JSON_HEAD = { 'content-type': 'application/json' };
const EVENTS_HEAD = { 'content-type': 'text/event-stream' };

const fails = (status: number, type: string, headers: Readonly<Record<string, string>> = {}): Act => ({ response }) => {
  response.writeHead(status, { ...JSON_HEAD, ...headers }).end(JSON.stringify({ type: 'error', error: { type, code: type, message: `the soak wants ${status}` } }));
};

const errorEvent = ({ anthropic }: Asked): string => (anthropic
  ? 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'
  : 'data: {"error":{"type":"server_error","code":"server_error","message":"Overloaded"}}\n\n');

const answersWell: Act = async ({ response, answers, streamed, dice }) => {
  if (!streamed) {
    if (dice.draw() < 0.1) response.writeHead(200, { ...JSON_HEAD, 'content-encoding': 'gzip' }).end(gzipSync(answers.whole));
    else response.writeHead(200, JSON_HEAD).end(answers.whole);
    return;
  }
  response.writeHead(200, EVENTS_HEAD).write(answers.head);
  // Most are quick; a few are as long as real ones.
  const events = dice.draw() < 0.02 ? 600 : 1 + dice.below(40);
  for (let sent = 0; sent < events && !response.destroyed; sent++) {
    response.write(answers.event());
    if (sent % 10 === 9 || events > 40) await wait(dice.below(60));
  }
  if (!response.destroyed) response.end(answers.tail);
};

/** Sends the beginning of an answer, then what is wrong with it. */
const begins = (content: boolean, then: (asked: Asked) => void): Act => async (asked) => {
  const { response, answers, streamed } = asked;
  if (!streamed) response.writeHead(200, { ...JSON_HEAD, 'content-length': answers.whole.length }).write(answers.whole.subarray(0, 200));
  else response.writeHead(200, EVENTS_HEAD).write(answers.head + (content ? answers.event() + answers.event() : ''));
  await wait(5);
  then(asked);
};

const hangs = (): void => undefined;

const reset = ({ request }: Asked): void => { request.socket.resetAndDestroy(); };

/** What an upstream does to a request, each as often as its weight says. */
const ACTS: readonly (readonly [number, Act])[] = [
  [58, answersWell], [8, fails(503, 'overloaded_error')], [4, fails(529, 'overloaded_error')], [2, fails(500, 'api_error', { 'retry-after': '0' })], [3, fails(429, 'rate_limit_error', { 'retry-after': '1' })],
  [2, fails(400, 'invalid_request_error')], [1, fails(404, 'not_found_error')], [4, reset], [3, begins(true, reset)], [3, begins(false, reset)],
  [4, begins(false, (asked) => { asked.response.end(errorEvent(asked)); })], [2, begins(true, (asked) => { asked.response.end(errorEvent(asked)); })], [1, begins(false, ({ response }) => { response.end(); })],
  // Hangs: cut by the limit of an attempt, or by a client that leaves.
  [2, hangs], [1, begins(false, hangs)],
  [1, ({ response }) => { response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(); }], [1, ({ response }) => { response.writeHead(200, { 'content-type': 'text/html' }).end('<html>a login page</html>'); }],
];

/** A provider that fails in every way there is. `asked` counts the attempts. */
export async function startFaultyUpstream(dice: Dice): Promise<{ readonly url: string; asked(): number; close(): void }> {
  let asked = 0;
  const server: Server = createServer({ keepAliveTimeout: 4_000 }, (request, response) => {
    asked++;
    const act = dice.among(ACTS);
    let start = '';
    request.on('data', (chunk: Buffer) => { if (start.length < 200) start += chunk.toString('latin1', 0, 200); }).on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => {
      const anthropic = request.url?.includes('/messages') === true;
      void act({ request, response, anthropic, answers: ANSWERS[anthropic ? 'anthropic' : 'chat'], streamed: start.includes('"stream":true'), dice });
    });
  });
  await new Promise<void>((resolve) => { server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }, resolve); });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked, close: () => { server.close(); server.closeAllConnections(); } };
}
