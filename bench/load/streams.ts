import { STAMP } from '../answers.ts';
import { nowUs, spread, wait } from '../measure.ts';
import type { Work } from '../works.ts';
import { createClient, requestBody, type Client } from './client.ts';
import type { Findings, Job } from './job.ts';
import { createWindow } from './window.ts';

const START_MS_EACH = 3;
const SHORTEST_START_MS = 300;
const SETTLE_MS = 300;
// How long a slow gateway may lag before its streams count as broken.
const LAG_SECS = 8;

/** Many streams at once, each with its own steady beat: how long an event is on its way once all are running. */
export async function runStreams(job: Job, work: Extract<Work, { kind: 'streams' }>): Promise<Findings> {
  const startMs = Math.max(SHORTEST_START_MS, work.streams * START_MS_EACH);
  const events = Math.ceil(work.eventsPerSec * (startMs / 1_000 + work.secs + 1));
  const client = createClient(job, work.streams);
  const body = requestBody(work.bodyBytes, { events, perSec: work.eventsPerSec });
  const window = createWindow(job);
  const delaysUs: number[] = [];
  const take = (stamps: readonly number[], gotUs: number): void => {
    if (window.isOpen()) for (const madeUs of stamps) delaysUs.push(gotUs - madeUs);
  };
  const runs: Promise<boolean>[] = [];
  const beganMs = performance.now();
  for (let n = 0; n < work.streams; n += 1) {
    while (performance.now() < beganMs + (n / work.streams) * startMs) await wait(1);
    runs.push(runOne(client, body, events, take));
  }
  await wait(SETTLE_MS);
  window.open();
  await wait(work.secs * 1_000);
  window.close();
  const whole = await Promise.race([Promise.all(runs), wait(LAG_SECS * 1_000).then(() => null)]);
  const broken = whole === null ? work.streams : whole.filter((complete) => !complete).length;
  const count = delaysUs.length;
  const findings = window.findings(count, broken, spread(delaysUs));
  await client.close();
  return findings;
}

/** Whether all events of one stream came, in whatever pieces. */
async function runOne(client: Client, body: Buffer, events: number, take: (stamps: readonly number[], gotUs: number) => void): Promise<boolean> {
  let count = 0;
  let rest = '';
  const { whole, status } = await client.send(body, (chunk) => {
    const gotUs = nowUs();
    const text = rest + chunk.toString('latin1');
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    const stamps = Array.from(text.slice(0, end).matchAll(STAMP), (match) => Number(match[1]));
    count += stamps.length;
    take(stamps, gotUs);
  });
  return whole && status === 200 && count === events;
}
