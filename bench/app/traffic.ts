import { createClient, requestBody } from '../load/client.ts';
import { wait } from '../measure.ts';

const STEP_MS = 10;
// A stream of a second: it begins in one batch of events and ends in another.
const STREAM = { events: 10, perSec: 10 };
const SMALL = 2_048;

/** What went through the gateway. */
export interface Traffic {
  readonly exchanges: number;
  readonly failed: number;
  readonly secs: number;
}

/** Sends so many requests a second, every second one a stream of a second, until `over`; an exchange without faults makes four events. */
export async function sendSteadily(url: string, perSec: number, over: AbortSignal): Promise<Traffic> {
  const client = createClient({ url, format: 'chat' }, Math.min(4_000, Math.max(64, perSec * 2)));
  const bodies = [requestBody(SMALL, null), requestBody(SMALL, STREAM)] as const;
  const running = new Set<Promise<void>>();
  let exchanges = 0;
  let failed = 0;
  const startMs = performance.now();
  while (!over.aborted) {
    const due = Math.floor(((performance.now() - startMs) / 1_000) * perSec);
    for (; exchanges < due; exchanges += 1) {
      const one = client.send(bodies[exchanges % 2 === 0 ? 0 : 1], () => undefined).then(({ whole, status }) => {
        if (!whole || status !== 200) failed += 1;
        running.delete(one);
      });
      running.add(one);
    }
    await wait(STEP_MS);
  }
  const secs = (performance.now() - startMs) / 1_000;
  await Promise.all(running);
  await client.close();
  return { exchanges, failed, secs };
}

/** Sends so many requests, some at once, each as soon as another has ended; answers how many failed. */
export async function sendMany(url: string, count: number, atOnce: number): Promise<number> {
  const client = createClient({ url, format: 'chat' }, atOnce);
  const body = requestBody(SMALL, null);
  let begun = 0;
  let failed = 0;
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (begun < count) {
      begun += 1;
      const { whole, status } = await client.send(body, () => undefined);
      if (!whole || status !== 200) failed += 1;
    }
  }));
  await client.close();
  return failed;
}
