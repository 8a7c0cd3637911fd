// A process that writes rows and settings without end and says what is on disk; `crash.test.ts` kills it.
import { join } from 'node:path';
import { openStore } from '../../main/store/store.ts';
import { systemClock } from '../../main/system/clock.ts';
import { createSecretFile } from '../../main/system/secret-file.ts';
import { rowWith } from '../support/rows.ts';

const dataDir = process.argv[2] ?? '';
const quiet = () => undefined;
const opening = await openStore({ dataDir, secretBox: createSecretFile(join(dataDir, 'secrets.json')), log: { info: quiet, warn: quiet, error: quiet }, clock: systemClock });
if (opening.kind !== 'open') throw new Error(opening.kind);
const { store } = opening;
const say = (event: object): void => { process.stdout.write(`${JSON.stringify(event)}\n`); };

for (let n = 0; ; n++) {
  const row = rowWith({ id: `row-${String(n).padStart(6, '0')}`, started_at: systemClock.utc() });
  store.journal.note({ kind: 'started', id: row.id, row: { ...row, state: 'in_flight', outcome: null } });
  // Every third exchange never ends.
  if (n % 3 !== 0) store.journal.note({ kind: 'finished', id: row.id, row });
  if (n % 25 !== 24) continue;
  await store.flush();
  const waitSecs = n % 600;
  await store.settings.set('gateway.retry_wait_secs', waitSecs);
  say({ rows: n + 1, waitSecs });
}
