import { connect } from 'node:net';
import { Agent, fetch } from 'undici';
import { KEY } from '../targets/target.ts';
import { wait } from '../measure.ts';
import type { Dice } from './dice.ts';

/** How the requests of the clients ended. `wrong` is what should not be: no answer, or one that is none. */
export interface Ends { readonly counts: Map<string, number>; readonly wrong: string[] }

const PATHS = ['/v1/messages', '/v1/chat/completions'] as const;
const MIB = 1_048_576;

function body(dice: Dice, streamed: boolean): string {
  const filling = dice.draw() < 0.02 ? 'x'.repeat(MIB) : 'x'.repeat(dice.below(4_000));
  return `{"model":"soak","stream":${streamed},"max_tokens":64,"messages":[{"role":"user","content":"${filling}"}]}`;
}

/** One request as a client would send it, from begin to end; sometimes the client leaves. Resolves with a word for the end. */
async function talk(url: string, agent: Agent, dice: Dice): Promise<string> {
  const streamed = dice.draw() < 0.5;
  const leaving = new AbortController();
  const leavesAfterMs = dice.draw() < 0.12 ? dice.below(400) : null;
  const timer = leavesAfterMs === null ? null : setTimeout(() => { leaving.abort(); }, leavesAfterMs);
  try {
    const response = await fetch(new URL(dice.draw() < 0.5 ? PATHS[0] : PATHS[1], url), {
      method: 'POST', dispatcher: agent, body: dice.draw() < 0.03 ? '{"model":' : body(dice, streamed), signal: leaving.signal,
      headers: { 'content-type': 'application/json', 'x-api-key': dice.draw() < 0.03 ? 'hf-nobody' : KEY },
    });
    const text = await response.text();
    if (text.length === 0) return `${response.status} without a body`;
    return `${streamed ? 'stream' : 'whole'} ${response.status}`;
  } catch (error) {
    if (leaving.signal.aborted) return 'left';
    // A stream that breaks after content is broken for the client, too (SPEC 10.3).
    return error instanceof TypeError && /terminated|other side closed|ECONNRESET/.test(`${error.message} ${String(error.cause)}`) ? 'cut' : `wrong: ${String(error)} ${String((error as Error).cause)}`;
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

/** Bytes that are no request, or half of one, and a client that resets or ends. */
function noise(url: string, dice: Dice): Promise<string> {
  return new Promise((resolve) => {
    const { port } = new URL(url);
    const head = `POST ${PATHS[dice.below(2)]} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEY}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"model":"soak"`;
    const bytes = dice.draw() < 0.5 ? Buffer.from(Array.from({ length: dice.below(500) }, () => dice.below(256))) : head.slice(0, dice.below(head.length));
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    socket.on('error', () => undefined).on('close', () => { resolve('noise'); }).resume();
    socket.on('connect', () => { socket.write(bytes, () => { if (dice.draw() < 0.5) socket.resetAndDestroy(); else socket.end(); }); });
  });
}

/** Sends `perSec` requests a second until `untilMs` (`performance.now()`), then waits for the last ones and closes the clients' connections: kept ones would count as held. */
export async function sendTraffic(url: string, perSec: number, untilMs: number, dice: Dice, ends: Ends): Promise<void> {
  const running = new Set<Promise<void>>();
  const agent = new Agent();
  const startMs = performance.now();
  for (let sent = 0; performance.now() < untilMs; sent++) {
    const lateMs = performance.now() - startMs - (sent * 1_000) / perSec;
    if (lateMs < 0) await wait(-lateMs);
    const one = (dice.draw() < 0.05 ? noise(url, dice) : talk(url, agent, dice)).then((end) => {
      if (end.startsWith('wrong')) ends.wrong.push(end);
      ends.counts.set(end, (ends.counts.get(end) ?? 0) + 1);
      running.delete(one);
    });
    running.add(one);
  }
  await Promise.all(running);
  await agent.close();
}
