import { passes } from '../../../renderer/requests/filter.ts';
import type { ExchangeRow, LogCount, LogCursor, LogFacets, LogFilter, LogPage, LogQuery } from '../../../shared/log.ts';

const isOlder = (row: ExchangeRow, than: LogCursor) => row.started_at < than.started_at || (row.started_at === than.started_at && row.id < than.id);
const isNewer = (row: ExchangeRow, than: LogCursor) => row.started_at > than.started_at || (row.started_at === than.started_at && row.id > than.id);

/** What the log would answer of rows that stand newest first: filtered, next to the place asked for. */
export function pageOf(rows: readonly ExchangeRow[], { filter, before, after, limit }: LogQuery): LogPage {
  const all = rows.filter((row) => passes(filter, row) && (!before || isOlder(row, before)) && (!after || isNewer(row, after)));
  const upwards = after !== undefined && before === undefined;
  const page = upwards ? all.slice(-limit) : all.slice(0, limit);
  const edge = upwards ? page[0] : page.at(-1);
  return {
    rows: page, next: all.length > limit && edge ? { started_at: edge.started_at, id: edge.id } : null,
    scanned: filter.text === undefined ? null : { rows: rows.length, total: rows.length }, superseded: false,
  };
}

/** How many pass. */
export function countOf(rows: readonly ExchangeRow[], filter: LogFilter): LogCount {
  return { rows: rows.filter((row) => passes(filter, row)).length, exact: true, superseded: false };
}

/** What the rows have, each once. */
export function facetsOf(rows: readonly ExchangeRow[]): LogFacets {
  const all = (of: (row: ExchangeRow) => string | null) => [...new Set(rows.flatMap((row) => of(row) ?? []))].slice(0, 100);
  return { upstreams: all((row) => row.upstream), models: all((row) => row.model_asked), clients: all((row) => row.client), keys: all((row) => row.key_name), errorCodes: all((row) => row.error_code) };
}
