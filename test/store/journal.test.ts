import { expect, test } from 'vitest';
import { createJournal } from '../../main/store/journal.ts';
import type { RowChange, RowsWritten } from '../../main/store/protocol.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { recordingLog, rowWith } from '../support/store-parts.ts';

/** A journal on a writer that answers when the test says so. */
function scripted() {
  const clock = createFakeClock();
  const log = recordingLog();
  const batches: { readonly changes: readonly RowChange[]; answer(written: RowsWritten): void; fail(error: Error): void }[] = [];
  const journal = createJournal({
    clock, log, changed: () => undefined,
    write: (changes) => new Promise((resolve, reject) => { batches.push({ changes, answer: resolve, fail: reject }); }),
  });
  const end = (id: string): void => { journal.note({ kind: 'finished', id, row: rowWith({ id }) }); };
  const begin = (id: string): void => { journal.note({ kind: 'started', id, row: rowWith({ id, state: 'in_flight', outcome: null }) }); };
  return { clock, log, batches, journal, begin, end };
}
const written: RowsWritten = { kind: 'written', lost: 0, reason: null };

test('noting leaves nothing but one timer, and one batch is on its way at a time', async () => {
  const { clock, batches, end } = scripted();
  end('a');
  end('b');
  expect(clock.waits()).toEqual([50]);
  await clock.advance(50);
  end('c');
  await clock.advance(10_000);
  expect(batches.map((batch) => batch.changes.length)).toEqual([2]);
  batches[0]!.answer(written);
  await clock.advance(50);
  expect(batches.map((batch) => batch.changes.length)).toEqual([2, 1]);
});

test('begin and end of the same exchange in one batch are one change', async () => {
  const { clock, batches, begin, end } = scripted();
  begin('a');
  end('a');
  await clock.advance(50);
  expect(batches[0]!.changes.map((change) => change.kind)).toEqual(['finish']);
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
  expect(batches[1]!.changes.map((change) => change.kind !== 'forget' && [change.kind, change.values[0]])).toEqual([['finish', 'a'], ['finish', 'b'], ['finish', 'c']]);
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
  expect(waits).toEqual([50, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  await clock.advanceToNext();
  batches[9]!.answer(written);
  await clock.advance(0);
  expect(log.lines.map((line) => line.level)).toEqual(['warn', 'info']);
});

test('the queue is bounded: beyond it ends are lost and counted, also while the disk takes nothing', async () => {
  const { clock, batches, begin, end, journal } = scripted();
  for (let n = 0; n < 10_000; n++) end(`r${n}`);
  begin('late');
  expect(journal.losses().rows).toBe(0);
  end('late');
  end('later');
  expect(journal.losses().rows).toBe(2);
  end('r17');
  expect(journal.losses().rows).toBe(2);
  await clock.advance(50);
  end('meanwhile');
  batches[0]!.answer({ kind: 'later', reason: 'disk full' });
  await clock.advance(500);
  expect(batches[1]!.changes).toHaveLength(10_000);
  expect(journal.losses().rows).toBe(3);
});

test('huge rows are bounded by their size, not only by their number', () => {
  const { journal } = scripted();
  const row = rowWith({ error_message: 'x'.repeat(8 * 1024 * 1024) });
  for (let n = 0; n < 20; n++) journal.note({ kind: 'finished', id: `r${n}`, row: { ...row, id: `r${n}` } });
  expect(journal.losses().rows).toBe(12);
});

test('when the writer is gone the ends of its batch are lost and counted, and noting goes on without a throw', async () => {
  const { clock, batches, begin, end, journal, log } = scripted();
  begin('a');
  end('b');
  await clock.advance(50);
  batches[0]!.fail(new Error('the writer has ended'));
  await clock.advance(0);
  expect(journal.losses().rows).toBe(1);
  expect(log.lines.at(-1)).toMatchObject({ level: 'error', fields: { count: 1 } });
  end('c');
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
