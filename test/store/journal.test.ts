import { expect, test } from 'vitest';
import { createJournal } from '../../main/store/journal.ts';
import type { LogBatch, RowsWritten } from '../../main/store/protocol.ts';
import type { SeenContents } from '../../main/gateway/ports.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { recordingLog, rowWith } from '../support/store-parts.ts';

/** A journal on a writer that answers when the test says so. */
function scripted() {
  const clock = createFakeClock();
  const log = recordingLog();
  const batches: { readonly batch: LogBatch; answer(written: RowsWritten): void; fail(error: Error): void }[] = [];
  let changes = 0;
  const journal = createJournal({
    clock, log, changed: () => { changes++; },
    write: (batch) => new Promise((resolve, reject) => { batches.push({ batch, answer: resolve, fail: reject }); }),
  });
  const end = (id: string): void => { journal.note({ kind: 'finished', id, row: rowWith({ id }) }); };
  const begin = (id: string): void => { journal.note({ kind: 'started', id, row: rowWith({ id, state: 'in_flight', outcome: null }) }); };
  return { clock, log, batches, journal, begin, end, changes: () => changes };
}
const written: Extract<RowsWritten, { kind: 'written' }> = { kind: 'written', lost: 0, lostContents: 0, reason: null, usedBytes: 0 };

test('noting leaves nothing but one timer, and one batch is on its way at a time', async () => {
  const { clock, batches, end } = scripted();
  end('a');
  end('b');
  expect(clock.waits()).toEqual([10]);
  await clock.advance(50);
  end('c');
  await clock.advance(10_000);
  expect(batches.map(({ batch }) => batch.rows.length)).toEqual([2]);
  batches[0]!.answer(written);
  await clock.advance(50);
  expect(batches.map(({ batch }) => batch.rows.length)).toEqual([2, 1]);
});

// SPEC 12.3
test('an end is written soon where the log was quiet; a begin waits for its end, and no batch comes sooner than 50 ms after the one before', async () => {
  const { clock, batches, begin, end } = scripted();
  begin('a');
  await clock.advance(30);
  expect(clock.waits()).toEqual([20]);
  end('a');
  expect(clock.waits()).toEqual([10]);
  await clock.advance(10);
  expect(batches.map(({ batch }) => batch.rows.map((change) => change.kind))).toEqual([['finished']]);
  batches[0]!.answer(written);
  await clock.advance(1);
  end('b');
  expect(clock.waits()).toEqual([49]);
  await clock.advance(200);
  batches[1]!.answer(written);
  await clock.advance(200);
  begin('c');
  expect(clock.waits()).toEqual([50]);
});

test('begin and end of the same exchange in one batch are one change', async () => {
  const { clock, batches, begin, end } = scripted();
  begin('a');
  end('a');
  await clock.advance(50);
  expect(batches[0]!.batch.rows.map((change) => change.kind)).toEqual(['finished']);
});

test('a batch that could not be written is sent again later, with what has come since, the newer state of a row winning', async () => {
  const { clock, batches, begin, end, journal } = scripted();
  begin('a');
  end('b');
  await clock.advance(50);
  end('a');
  end('c');
  batches[0]!.answer({ kind: 'later', reason: 'database or disk is full' });
  await clock.advance(499);
  expect(batches).toHaveLength(1);
  await clock.advance(1);
  expect(batches[1]!.batch.rows.map((change) => [change.kind, change.id])).toEqual([['finished', 'a'], ['finished', 'b'], ['finished', 'c']]);
  expect(journal.losses().rows).toBe(0);
});

test('while the disk takes nothing it is asked at growing intervals, and the user is told once', async () => {
  const { clock, batches, end, log } = scripted();
  end('a');
  const waits: number[] = [];
  for (let n = 0; n < 9; n++) {
    waits.push(await clock.advanceToNext());
    batches[n]!.answer({ kind: 'later', reason: 'disk full' });
    await clock.advance(0);
  }
  expect(waits).toEqual([10, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  await clock.advanceToNext();
  batches[9]!.answer(written);
  await clock.advance(0);
  expect(log.lines.map((line) => line.level)).toEqual(['warn', 'info']);
});

// SPEC 12.3
test('the queue is bounded: beyond it ends are lost and counted, also while the disk takes nothing; rows go in pieces that are handed over quickly', async () => {
  const { clock, batches, begin, end, journal, log } = scripted();
  for (let n = 0; n < 20_000; n++) end(`r${n}`);
  begin('late');
  expect(journal.losses().rows).toBe(0);
  end('late');
  end('later');
  expect(journal.losses().rows).toBe(2);
  end('r17');
  expect(journal.losses().rows).toBe(2);
  // Told once, not for each.
  expect(log.lines).toHaveLength(1);
  await clock.advance(50);
  expect(batches[0]!.batch.rows).toHaveLength(1_000);
  for (let n = 0; n < 1_000; n++) end(`meanwhile-${n}`);
  batches[0]!.answer({ kind: 'later', reason: 'disk full' });
  await clock.advance(0);
  end('one more');
  expect(journal.losses().rows).toBe(3);
  await clock.advance(500);
  expect(batches[1]!.batch.rows.map((change) => change.id)).toEqual(Array.from({ length: 1_000 }, (_, n) => `r${n}`));
  batches[1]!.answer(written);
  // The next piece has waited already.
  await clock.advance(0);
  expect(batches[2]!.batch.rows[0]!.id).toBe('r1000');
});

// SPEC 12.3
test('the beginning of a row whose end is lost is taken back, so that nothing stands there as running', async () => {
  const { clock, batches, begin, end, journal } = scripted();
  begin('a');
  await clock.advance(50);
  batches[0]!.answer(written);
  await clock.advance(0);
  for (let n = 0; n < 20_000; n++) end(`r${n}`);
  end('a');
  expect(journal.losses().rows).toBe(1);
  for (let n = 1; n <= 21; n++) {
    await clock.advance(50);
    batches[n]!.answer(written);
    await clock.advance(0);
  }
  expect(batches.flatMap(({ batch }) => batch.rows).filter((change) => change.id === 'a').map((change) => change.kind)).toEqual(['started', 'forget']);
});

test('huge rows are bounded by their size, not only by their number', () => {
  const { journal } = scripted();
  const row = rowWith({ error_message: 'x'.repeat(8 * 1024 * 1024) });
  for (let n = 0; n < 20; n++) journal.note({ kind: 'finished', id: `r${n}`, row: { ...row, id: `r${n}` } });
  expect(journal.losses().rows).toBe(12);
});

test('a batch that did not come to the writer waits and is sent again, and noting goes on without a throw', async () => {
  const { clock, batches, begin, end, journal, log } = scripted();
  begin('a');
  end('b');
  await clock.advance(50);
  batches[0]!.fail(new Error('the writer has ended'));
  await clock.advance(0);
  expect(journal.losses()).toMatchObject({ rows: 0, waiting: true });
  expect(log.lines.at(-1)).toMatchObject({ level: 'warn', fields: { reason: 'the writer has ended' } });
  end('c');
  await clock.advance(500);
  expect(batches[1]!.batch.rows.map((change) => change.id)).toEqual(['a', 'b', 'c']);
  batches[1]!.answer(written);
  await clock.advance(0);
  expect(journal.losses()).toMatchObject({ rows: 0, waiting: false });
});

// SPEC 12.4
const seen: SeenContents = { method: 'POST', requestHeaders: 'a\nb\n', answerHeaders: null, request: null, answer: null };

test('contents wait for the last row, go in pieces of some megabytes, and give way to rows', async () => {
  const { clock, batches, end, journal } = scripted();
  const megabyte = 1024 * 1024;
  journal.keep('a', seen, megabyte);
  for (let n = 0; n < 1_001; n++) end(`r${n}`);
  for (let n = 0; n < 8; n++) journal.keep(`c${n}`, seen, megabyte);
  await clock.advance(50);
  expect(batches[0]!.batch.rows).toHaveLength(1_000);
  expect(batches[0]!.batch.contents).toEqual([]);
  batches[0]!.answer(written);
  await clock.advance(0);
  expect(batches[1]!.batch.rows).toHaveLength(1);
  expect(batches[1]!.batch.contents.map(({ id }) => id)).toEqual(['a', 'c0', 'c1', 'c2']);
  // 5 MiB wait, there is room for 59 more.
  for (let n = 0; n < 60; n++) journal.keep(`d${n}`, seen, megabyte);
  expect(journal.losses()).toMatchObject({ rows: 0, bodies: 1 });
  journal.note({ kind: 'finished', id: 'big', row: rowWith({ id: 'big', error_message: 'x'.repeat(3 * megabyte) }) });
  end('behind');
  expect(journal.losses()).toMatchObject({ rows: 0, bodies: 5 });
});

test('contents that the writer could not store are counted, and so are those of a batch that comes back to a full queue', async () => {
  const { clock, batches, journal } = scripted();
  const tell = (): number => journal.losses().bodies;
  journal.keep('a', seen, 10);
  await clock.advance(50);
  batches[0]!.answer({ ...written, lostContents: 1 });
  await clock.advance(0);
  expect(tell()).toBe(1);
  journal.keep('b', seen, 4 * 1024 * 1024);
  await clock.advance(50);
  for (let n = 0; n < 64; n++) journal.keep(`c${n}`, seen, 1024 * 1024);
  expect(tell()).toBe(1);
  batches[1]!.answer({ kind: 'later', reason: 'disk full' });
  await clock.advance(0);
  expect(tell()).toBe(2);
});

test('what changes is told', async () => {
  const { clock, batches, end, changes } = scripted();
  end('a');
  await clock.advance(50);
  expect(changes()).toBe(0);
  batches[0]!.answer({ kind: 'later', reason: 'disk full' });
  await clock.advance(500);
  expect(changes()).toBe(1);
  batches[1]!.answer({ ...written, lost: 1, reason: 'no' });
  await clock.advance(0);
  expect(changes()).toBe(3);
});

test('closing sends what waits at once, and what the disk does not take then is lost and counted', async () => {
  const { batches, end, journal, clock } = scripted();
  end('a');
  const closed = journal.close();
  batches[0]!.answer({ kind: 'later', reason: 'disk full' });
  await closed;
  expect(journal.losses().rows).toBe(1);
  expect(clock.pending()).toBe(0);
});
