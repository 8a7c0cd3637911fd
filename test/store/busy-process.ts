// A process that writes rows, contents and settings without end and says what has ended and what is on disk; `crash.test.ts` kills it.
import { join } from 'node:path';
import { openStore } from '../../main/store/store.ts';
import { systemClock } from '../../main/system/clock.ts';
import { createSecretFile } from '../../main/system/secret-file.ts';
import { rowWith } from '../support/rows.ts';

const EACH_TIME = 40;
const EVERY_MS = 20;

const [dataDir = '', run = '0'] = process.argv.slice(2);
const quiet = () => undefined;
const opening = await openStore({ dataDir, secretBox: createSecretFile(join(dataDir, 'secrets.json')), log: { info: quiet, warn: quiet, error: quiet }, clock: systemClock });
if (opening.kind !== 'open') throw new Error(opening.kind);
const { store } = opening;
const say = (event: object): void => { process.stdout.write(`${JSON.stringify(event)}\n`); };
const body = new Uint8Array(2_000).fill(120);

/** Id of the n-th exchange of this run; every third never ends. */
const idOf = (n: number): string => `run-${run.padStart(3, '0')}-${String(n).padStart(7, '0')}`;

for (let n = 0; ;) {
  for (const end = n + EACH_TIME; n < end; n++) {
    const row = rowWith({ id: idOf(n), started_at: systemClock.utc(), retries: n % 2 });
    store.journal.note({ kind: 'started', id: row.id, row: { ...row, state: 'in_flight', outcome: null } });
    if (n % 3 === 0) continue;
    store.journal.note({ kind: 'finished', id: row.id, row });
    store.journal.keep(row.id, { method: 'POST', requestHeaders: 'accept\n*/*\n', answerHeaders: null, request: { bytes: body.length, kept: body }, answer: null }, body.length);
  }
  // Exchanges before this one have begun, and two of three of them have ended.
  say({ noted: n, atMs: Date.now() });
  if (n % (EACH_TIME * 10) === 0) {
    await store.settings.set('gateway.retry_wait_secs', n / EACH_TIME % 600);
    say({ waitSecs: n / EACH_TIME % 600 });
  }
  await new Promise((resolve) => { setTimeout(resolve, EVERY_MS); });
}
