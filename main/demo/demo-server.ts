import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../gateway/ports.ts';
import { DEMO_FORMATS, type DemoAnswer, type DemoEvent } from './demo-formats.ts';
import { DEMO_MODELS, demoTurn, demoWords, isDemoModel, type DemoModel } from './demo-models.ts';
import { readDemoRequest, type DemoRequest } from './demo-request.ts';

/** A running demo upstream: a real server on loopback. */
export interface DemoServer {
  readonly url: string;
  /** Cuts what is running. */
  close(): Promise<void>;
}

// Attempts that belong together carry the id of their exchange in this header; the gateway sends it nowhere else. Requests without
// it, from a shell, belong together when their bodies are the same.
const EXCHANGE_HEADER = 'x-holdfast-demo-exchange';
const MOST_EXCHANGES = 1_000;
// Slow enough to see the words come.
const WORD_MS = 30;
const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** Starts the demo upstream on a free loopback port (SPEC 2.8). Rejects when the system gives none. */
export async function startDemoServer(clock: Clock): Promise<DemoServer> {
  // Attempts so far by exchange; an answer takes its exchange out, and the oldest go when there are too many.
  const attempts = new Map<string, number>();
  let answers = 0;

  const nextAttempt = (exchange: string): number => {
    const attempt = (attempts.get(exchange) ?? 0) + 1;
    attempts.delete(exchange);
    attempts.set(exchange, attempt);
    const oldest = attempts.keys().next();
    if (attempts.size > MOST_EXCHANGES && oldest.done !== true) attempts.delete(oldest.value);
    return attempt;
  };

  const generate = (request: Extract<DemoRequest, { kind: 'generate' }>, exchange: string, body: string, response: ServerResponse): void => {
    const format = DEMO_FORMATS[request.format];
    if (!isDemoModel(request.model)) return sendJson(response, 404, format.error(404, `The demo upstream has no model ${JSON.stringify(request.model)}; it has ${DEMO_MODELS.join(', ')}.`));
    const turn = demoTurn(request.model, nextAttempt(exchange), request.streamed);
    if (turn === 'unavailable') return sendJson(response, 503, format.error(503, 'The demo upstream is unavailable on purpose. Please try again.'));
    const answer = makeAnswer(request, request.model, body, ++answers, clock.utc());
    if (turn === 'overloaded_stream') return sendEvents(clock, request.array, [...format.opening(answer), format.overload(answer)], response);
    attempts.delete(exchange);
    if (!request.streamed) return sendJson(response, 200, format.whole(answer));
    sendEvents(clock, request.array, [...format.opening(answer), ...answer.words.map((_word, index) => format.word(answer, index)), ...format.ending(answer)], response);
  };

  const serve = (target: string, exchange: string | undefined, body: string, response: ServerResponse): void => {
    const request = readDemoRequest(target, body);
    switch (request.kind) {
      case 'generate': return generate(request, exchange ?? `${target} ${body}`, body, response);
      case 'count_tokens': return sendJson(response, 200, request.format === 'gemini' ? { totalTokens: tokensOf(body) } : { input_tokens: tokensOf(body) });
      case 'models': return sendJson(response, 200, { object: 'list', data: DEMO_MODELS.map((id) => ({ id, object: 'model', owned_by: 'demo' })) });
      case 'unknown': return sendJson(response, 404, DEMO_FORMATS.chat.error(404, 'The demo upstream knows no such path.'));
    }
  };

  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const exchange = request.headers[EXCHANGE_HEADER];
      if (body !== null) serve(request.url ?? '/', typeof exchange === 'string' ? exchange : undefined, body, response);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => {
      server.close(() => { resolve(); });
      server.closeAllConnections();
    }),
  };
}

function makeAnswer(request: { readonly usageChunk: boolean }, model: DemoModel, body: string, number: number, utcMs: number): DemoAnswer {
  return { id: `demo${number}`, model, words: demoWords(model), createdSecs: Math.floor(utcMs / 1_000), inputTokens: tokensOf(body), usageChunk: request.usageChunk };
}

// Some four characters make a token.
function tokensOf(body: string): number {
  return Math.max(1, Math.ceil(body.length / 4));
}

/** The body, or null when the caller left or sent too much. */
function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BODY_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => { resolve(Buffer.concat(chunks).toString('utf8')); });
    request.on('error', () => { resolve(null); });
    request.on('close', () => { resolve(null); });
  });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}

// One event after the other, each after a short wait; the caller's leaving ends it.
function sendEvents(clock: Clock, array: boolean, events: readonly DemoEvent[], response: ServerResponse): void {
  const gone = new AbortController();
  response.on('close', () => { gone.abort(); });
  response.on('error', () => { gone.abort(); });
  response.writeHead(200, { 'content-type': array ? 'application/json' : 'text/event-stream', 'cache-control': 'no-cache' });
  const send = async (): Promise<void> => {
    for (const [index, event] of events.entries()) {
      if (index > 0) await clock.sleep(WORD_MS, gone.signal);
      if (gone.signal.aborted) return;
      response.write(array ? arrayElement(event, index) : serverSentEvent(event));
    }
    response.end(array ? ']' : '');
  };
  void send();
}

function serverSentEvent([name, data]: DemoEvent): string {
  return `${name === '' ? '' : `event: ${name}\n`}data: ${data === '[DONE]' ? data : JSON.stringify(data)}\n\n`;
}

function arrayElement([, data]: DemoEvent, index: number): string {
  return `${index === 0 ? '[' : ',\n'}${JSON.stringify(data)}`;
}
