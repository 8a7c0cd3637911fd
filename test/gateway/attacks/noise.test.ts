// Random bytes at the port: no crash, no leak, and the next request is fine (SPEC 15, law 10). NOISE_SECS=60 makes a long run of it.
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { answersWith } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { requestText } from '../downstream/support/raw-client.ts';
import { handles, liveMiB } from './support/process-facts.ts';

const RUN_MS = Number(process.env['NOISE_SECS'] ?? 5) * 1_000;
const AT_ONCE = 12;

// One seed, printed when it fails, makes the same bytes again.
const seed = Number(process.env['NOISE_SEED'] ?? Date.now() % 2 ** 31);
function diceOf(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PATHS = ['/v1/messages', '/v1/chat/completions', '/v1/responses', '/v1beta/models/m-1:generateContent', '/k/hf-test/v1/messages', '/v1/models', '/', '*', '/v1/files/..'];
const GOOD = requestText('POST /v1/messages', { 'x-api-key': 'hf-test' }, '{"model":"m-1","messages":[]}');

/** Bytes to send: nothing but chance, or a request that chance has damaged. */
function bytesBy(draw: () => number): Buffer {
  const below = (limit: number): number => Math.floor(draw() * limit);
  const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256)));
  switch (below(6)) {
    case 0: return noise(below(4_000));
    case 1: return Buffer.concat([Buffer.from(`${['GET', 'POST', 'PUT', 'OPTIONS', 'CONNECT', 'TRACE', 'PRI'][below(7)]} ${PATHS[below(PATHS.length)]} HTTP/1.${below(3)}\r\n`), noise(below(400))]);
    case 2: {
      const damaged = Buffer.from(GOOD);
      for (let n = below(6); n >= 0; n--) damaged[below(damaged.length)] = below(256);
      return damaged;
    }
    case 3: return Buffer.from(GOOD.slice(0, below(GOOD.length)));
    case 4: return Buffer.concat([Buffer.from(requestText('POST /v1/messages', { 'x-api-key': 'hf-test', 'content-type': 'application/json', 'transfer-encoding': 'chunked' })), noise(below(200))]);
    default: {
      const body = noise(below(2_000));
      return Buffer.concat([Buffer.from(requestText(`POST ${PATHS[below(PATHS.length)]}`, { 'x-api-key': 'hf-test', 'content-type': 'application/json', 'content-length': String(body.length), ...(below(2) === 0 ? { 'content-encoding': ['gzip', 'br', 'deflate', 'zstd'][below(4)] ?? 'gzip' } : {}) })), body]);
    }
  }
}

it(`${RUN_MS / 1_000} s of random bytes end nothing and leave nothing behind`, async () => {
  const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 0 } });
  gateway.upstream().otherwise(answersWith('Hello'));
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => { uncaught.push(error); };
  process.on('uncaughtException', note).on('unhandledRejection', note);
  const draw = diceOf(seed);
  const one = (): Promise<void> => new Promise((resolve) => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1' });
    const bytes = bytesBy(draw);
    const cut = Math.floor(draw() * bytes.length);
    const leaving = draw();
    socket.on('error', () => undefined).on('close', () => { resolve(); }).resume();
    socket.on('connect', () => {
      socket.write(bytes.subarray(0, cut));
      setImmediate(() => {
        socket.write(bytes.subarray(cut), () => {
          if (leaving < 0.4) socket.resetAndDestroy();
          else if (leaving < 0.9) socket.end();
          else setImmediate(() => { socket.destroy(); });
        });
      });
    });
  });
  const some = async (untilMs: number): Promise<number> => {
    let count = 0;
    const lane = async (): Promise<void> => {
      do {
        await one();
        count++;
      } while (performance.now() < untilMs);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    await gateway.when(() => gateway.gateway.inFlight().length === 0);
    // Rows are the test's own memory.
    gateway.events.length = 0;
    return count;
  };
  const settled = async () => {
    await gateway.clock.whenWaits((waits) => waits.length === 0);
    return { handles: handles(), mib: liveMiB() };
  };

  await some(performance.now() + RUN_MS / 5);
  const before = await settled();
  const count = await some(performance.now() + RUN_MS);
  const after = await settled();
  process.off('uncaughtException', note).off('unhandledRejection', note);

  expect(uncaught, `seed ${seed}`).toEqual([]);
  expect(count).toBeGreaterThan(RUN_MS / 100);
  // Pooled connections and sockets that close right now differ by a few.
  for (const [kind, open] of Object.entries(after.handles)) expect(open - (before.handles[kind] ?? 0), kind).toBeLessThanOrEqual(AT_ONCE * 2);
  expect(after.mib - before.mib, `${count} connections`).toBeLessThan(12);
  expect(gateway.clock.pending()).toBe(0);
  const answer = await gateway.post('/v1/messages', { model: 'm-1', messages: [] });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('Hello');
  console.log(`noise: ${count} connections in ${RUN_MS / 1_000} s, seed ${seed}; memory ${before.mib.toFixed(1)} -> ${after.mib.toFixed(1)} MiB; handles ${JSON.stringify(before.handles)} -> ${JSON.stringify(after.handles)}`);
}, RUN_MS * 2 + 60_000);
