import type { SeenContents } from '../gateway/ports.ts';
import type { ContentsChange, LogBatch, RowChange } from './protocol.ts';

const MOST_ROWS = 20_000;
const MOST_TAKEN_BACK = 2 * MOST_ROWS;
/** Rows and contents together; about bytes, counted as characters. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
// Handing a batch to another thread copies it: no more at once than the gateway's thread can spare the time for, a few ms.
const ROWS_PER_BATCH = 1_000;
const CHARACTERS_PER_BATCH = 4 * 1024 * 1024;

/** What waits to be written. Bounded: contents give way to rows, rows beyond the bound are refused. */
export interface RowQueue {
  /** Takes the newest state of a row; false when there is no room for it. Throws when it is no row. */
  put(change: RowChange): boolean;
  /** Takes back a row whose end is lost: its beginning may be on the disk, and would stand there as running. */
  takeBack(id: string): void;
  /** Takes what was seen of an exchange; it is written after its row. */
  keep(id: string, contents: SeenContents, characters: number): void;
  /** Takes out the oldest, as much as goes in one batch; empty when nothing waits. */
  next(): LogBatch;
  /** Puts a batch that was not written back to the front; newer states of its rows that came meanwhile win. */
  putBack(batch: LogBatch): void;
  /** Contents that had to give way, since the last time this was asked. */
  takeDropped(): number;
  rows(): number;
  isEmpty(): boolean;
}

export function createRowQueue(): RowQueue {
  // Both in the order of the first change; emptied by `next`.
  let rows = new Map<string, RowChange>();
  let contents = new Map<string, ContentsChange>();
  // In the queue beside the rows, so that they cost no row its place. Emptied by `next`.
  const takenBack = new Set<string>();
  let rowCharacters = 0;
  let contentCharacters = 0;
  let dropped = 0;

  const dropOldestContents = (): boolean => {
    for (const [id, { characters }] of contents) {
      contents.delete(id);
      contentCharacters -= characters;
      dropped++;
      return true;
    }
    return false;
  };

  const put = (change: RowChange): boolean => {
    const known = rows.get(change.id);
    // First of all: a row without what every row has throws here and changes nothing.
    const weight = weightOf(change);
    if (known === undefined) {
      if (rows.size >= MOST_ROWS || rowCharacters >= MOST_CHARACTERS) return false;
      while (rowCharacters + weight + contentCharacters > MOST_CHARACTERS && dropOldestContents());
    }
    rows.set(change.id, change);
    rowCharacters += weight - (known === undefined ? 0 : weightOf(known));
    return true;
  };

  const keep = (change: ContentsChange): void => {
    if (rowCharacters + contentCharacters + change.characters > MOST_CHARACTERS) {
      dropped++;
      return;
    }
    contentCharacters += change.characters - (contents.get(change.id)?.characters ?? 0);
    contents.set(change.id, change);
  };

  const next = (): LogBatch => {
    const batch = { rows: [] as RowChange[], contents: [] as ContentsChange[] };
    let room = CHARACTERS_PER_BATCH;
    for (const change of rows.values()) {
      if (batch.rows.length >= ROWS_PER_BATCH || room <= 0) return batch;
      rows.delete(change.id);
      const weight = weightOf(change);
      rowCharacters -= weight;
      room -= weight;
      batch.rows.push(change);
    }
    for (const id of takenBack) {
      if (batch.rows.length >= ROWS_PER_BATCH) return batch;
      takenBack.delete(id);
      batch.rows.push({ kind: 'forget', id });
    }
    // Only behind the last row: so no contents are ever written without theirs.
    for (const change of contents.values()) {
      if (room <= 0) return batch;
      contents.delete(change.id);
      contentCharacters -= change.characters;
      room -= change.characters;
      batch.contents.push(change);
    }
    return batch;
  };

  const putBack = (batch: LogBatch): void => {
    const since = { rows, contents };
    rows = new Map(batch.rows.filter((change) => change.kind !== 'forget').map((change) => [change.id, change]));
    for (const change of batch.rows) if (change.kind === 'forget') takenBack.add(change.id);
    contents = new Map(batch.contents.map((change) => [change.id, change]));
    for (const change of since.rows.values()) rows.set(change.id, change);
    for (const change of since.contents.values()) contents.set(change.id, change);
    rowCharacters = [...rows.values()].reduce((sum, change) => sum + weightOf(change), 0);
    contentCharacters = [...contents.values()].reduce((sum, { characters }) => sum + characters, 0);
    while (rowCharacters + contentCharacters > MOST_CHARACTERS && dropOldestContents());
  };

  return {
    put,
    takeBack: (id) => { if (takenBack.size < MOST_TAKEN_BACK) takenBack.add(id); },
    keep: (id, seen, characters) => { keep({ id, seen, characters }); },
    next,
    putBack,
    takeDropped: () => {
      const count = dropped;
      dropped = 0;
      return count;
    },
    rows: () => rows.size,
    isEmpty: () => rows.size === 0 && takenBack.size === 0 && contents.size === 0,
  };
}

// Near enough for a bound, and cheap: what can be long is counted, the rest taken at its usual size.
function weightOf(change: RowChange): number {
  if (change.kind === 'forget') return 64;
  const { row } = change;
  let characters = 700 + row.path.length + (row.error_message?.length ?? 0) + (row.model_asked?.length ?? 0);
  for (const attempt of row.detail.attempts) characters += 400 + (attempt.message?.length ?? 0);
  return characters;
}
