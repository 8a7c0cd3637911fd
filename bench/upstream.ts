// The mock upstream, a process of its own: `node bench/upstream.ts`. Prints {"port":...} and ends with SIGTERM.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANSWERS, wishIn, type Answers } from './answers.ts';

const LONGEST_STREAM_EVENTS = 100_000;
const BACKLOG = 4_096;

// One timer for all streams, looked at every millisecond: with a timer each, a thousand streams would cost more than what is measured.
const due = new Map<number, (() => void)[]>();
let tickMs = Math.floor(performance.now());
let ticking = false;

function atMs(wantedMs: number, act: () => void): void {
  const slot = Math.max(Math.ceil(wantedMs), tickMs + 1);
  const acts = due.get(slot);
  if (acts === undefined) due.set(slot, [act]);
  else acts.push(act);
  if (!ticking) {
    ticking = true;
    setTimeout(tick, 1);
  }
}

function tick(): void {
  const nowMs = Math.floor(performance.now());
  while (tickMs < nowMs) {
    tickMs += 1;
    const acts = due.get(tickMs);
    due.delete(tickMs);
    for (const act of acts ?? []) act();
  }
  ticking = due.size > 0;
  if (ticking) setTimeout(tick, 1);
}

function stream(response: ServerResponse, answers: Answers, events: number, perSec: number): void {
  let sent = 0;
  let gone = false;
  let nextMs = performance.now();
  response.on('close', () => { gone = true; });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (): void => {
    if (gone) return;
    response.write((sent === 0 ? answers.head : '') + answers.event());
    sent += 1;
    if (sent >= events) { response.end(answers.tail); return; }
    nextMs += 1_000 / perSec;
    atMs(nextMs, send);
  };
  send();
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const answers = request.url?.includes('/messages') === true ? ANSWERS.anthropic : ANSWERS.chat;
  let start: Buffer | null = null;
  request.on('data', (chunk: Buffer) => { start ??= chunk; });
  request.on('end', () => {
    const wish = wishIn(start?.toString('latin1', 0, 200) ?? '');
    if (wish === null) response.writeHead(200, { 'content-type': 'application/json', 'content-length': answers.whole.byteLength }).end(answers.whole);
    else stream(response, answers, Math.min(wish.events, LONGEST_STREAM_EVENTS), wish.perSec);
  });
}

const server = createServer({ keepAlive: true, noDelay: true, keepAliveTimeout: 60_000, requestTimeout: 0 }, answer);
server.listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG }, () => { process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`); });
