import { STAMP } from '../answers.ts';
import { nowUs, spread } from '../measure.ts';
import type { Work } from '../works.ts';
import { createClient, requestBody } from './client.ts';
import type { Findings, Job } from './job.ts';
import { createWindow } from './window.ts';

const WARM_COUNT = 10;

/** Short streams one after the other: how long from sending to the first event of content. */
export async function runFirstEvent(job: Job, work: Extract<Work, { kind: 'first_event' }>): Promise<Findings> {
  const client = createClient(job, 1);
  const body = requestBody(work.bodyBytes, { events: 3, perSec: 1_000 });
  const window = createWindow(job);
  const timesUs: number[] = [];
  let broken = 0;
  for (let n = 0; n < work.count + WARM_COUNT; n += 1) {
    if (n === WARM_COUNT) window.open();
    const startedUs = nowUs();
    let firstUs = 0;
    const { whole, status } = await client.send(body, (chunk) => {
      if (firstUs === 0 && chunk.toString('latin1').search(STAMP) >= 0) firstUs = nowUs();
    });
    if (!window.isOpen()) continue;
    if (whole && status === 200 && firstUs > 0) timesUs.push(firstUs - startedUs);
    else broken += 1;
  }
  window.close();
  await client.close();
  return window.findings(timesUs.length, broken, spread(timesUs));
}
