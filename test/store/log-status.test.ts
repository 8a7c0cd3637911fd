import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLogStatus } from '../../main/store/log-status.ts';
import type { Losses } from '../../main/store/losses.ts';
import type { LogStatus } from '../../shared/log-status.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openedStore, rowWith, temporaryFolder } from '../support/store-parts.ts';

function scripted() {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'holdfast.db'), 'x'.repeat(700));
  writeFileSync(join(dataDir, 'holdfast.db-wal'), 'x'.repeat(50));
  const clock = createFakeClock();
  let losses: Losses = { rows: 0, refused: 0, bodies: 0, waiting: false };
  const status = createLogStatus({ clock, dataDir, losses: () => losses });
  return { clock, status, lose: (part: Partial<Losses>) => { losses = { ...losses, ...part }; status.changed(); } };
}

// SPEC 12.3: losses counted and shown
test('the status says what is lost, whether rows wait, and what the database takes with its write-ahead file', async () => {
  const { status, lose } = scripted();
  lose({ rows: 3, refused: 40, bodies: 2, waiting: true });
  expect(await status.get()).toEqual({ rowsLost: 3, refusedNotWritten: 40, bodiesLost: 2, waiting: true, sizeBytes: 750 });
});

test('changes are told once a second, whatever their number, and no more after the end', async () => {
  const { clock, status, lose } = scripted();
  const told: LogStatus[] = [];
  const next = () => new Promise<void>((resolve) => {
    const end = status.onChange((now) => {
      told.push(now);
      end();
      resolve();
    });
  });
  lose({ rows: 1 });
  // Nobody listened: nothing is scheduled.
  expect(clock.pending()).toBe(0);
  const first = next();
  for (let rows = 2; rows < 500; rows++) lose({ rows });
  expect(clock.waits()).toEqual([1_000]);
  await clock.advance(1_000);
  await first;
  expect(told.map(({ rowsLost }) => rowsLost)).toEqual([499]);
  void next();
  lose({ waiting: true });
  status.stop();
  expect(clock.pending()).toBe(0);
});

test('a store tells of refused requests that are counted only', async () => {
  const clock = createFakeClock();
  const store = await openedStore(temporaryFolder(), { clock });
  const told = new Promise<LogStatus>((resolve) => { store.logStatus.onChange(resolve); });
  for (let n = 0; n < 62; n++) store.journal.note({ kind: 'finished', id: `r${n}`, row: rowWith({ id: `r${n}`, outcome: 'refused' }) });
  await store.flush();
  await clock.advance(1_000);
  expect(await told).toMatchObject({ refusedNotWritten: 2, rowsLost: 0, waiting: false });
});
