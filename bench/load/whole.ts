import { nowUs, spread, wait } from '../measure.ts';
import type { Work } from '../works.ts';
import { createClient, requestBody } from './client.ts';
import type { Findings, Job } from './job.ts';
import { createWindow } from './window.ts';

const WARM_MS = 500;
const LEAST_BYTES = 500;

/** Whole answers, a fixed number at once. */
export async function runWhole(job: Job, work: Extract<Work, { kind: 'whole' }>): Promise<Findings> {
  const client = createClient(job, work.atOnce);
  const body = requestBody(work.bodyBytes, null);
  const window = createWindow(job);
  const timesUs: number[] = [];
  let broken = 0;
  const over = new AbortController();
  const sendOne = async (): Promise<void> => {
    const startedUs = nowUs();
    const counts = window.isOpen();
    let bytes = 0;
    const { whole, status } = await client.send(body, (chunk) => { bytes += chunk.byteLength; });
    if (!counts || !window.isOpen()) return;
    if (whole && status === 200 && bytes >= LEAST_BYTES) timesUs.push(nowUs() - startedUs);
    else broken += 1;
  };
  const all = Promise.all(Array.from({ length: work.atOnce }, async () => { while (!over.signal.aborted) await sendOne(); }));
  await wait(WARM_MS);
  window.open();
  await wait(work.secs * 1_000);
  window.close();
  over.abort();
  await all;
  await client.close();
  return window.findings(timesUs.length, broken, spread(timesUs));
}
