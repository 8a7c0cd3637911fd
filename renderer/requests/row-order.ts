import type { ExchangeRow, LogCursor } from '../../shared/log.ts';

/** Negative when `a` stands above `b` in the list. */
export function newer(a: ExchangeRow, b: ExchangeRow): number {
  return b.started_at - a.started_at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

/** Where the log goes on from a row, either way. */
export function cursorOf(row: ExchangeRow): LogCursor {
  return { started_at: row.started_at, id: row.id };
}

/** Both lists as one, each row once: those of `first` win over the same rows of `second`, but an end is never taken back. */
export function merge(first: readonly ExchangeRow[], second: readonly ExchangeRow[]): readonly ExchangeRow[] {
  if (first.length === 0 || second.length === 0) return first.length === 0 ? second : first;
  const ids = new Set(first.map((row) => row.id));
  const ended = new Map(second.filter((row) => row.state === 'done' && ids.has(row.id)).map((row) => [row.id, row]));
  const all = [...first.map((row) => (row.state === 'done' ? row : (ended.get(row.id) ?? row))), ...second.filter((row) => !ids.has(row.id))];
  // Everything of one side above the other, the usual case, costs no sort.
  const sorted = all.every((row, index) => index === 0 || newer(all[index - 1] as ExchangeRow, row) <= 0);
  return sorted ? all : all.sort(newer);
}
