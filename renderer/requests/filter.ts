import type { ExchangeRow, LogFilter } from '../../shared/log.ts';

/** The time ranges one click away. Closed: also i18n keys under `filter.last`. */
export const LAST_SPANS = ['1h', '24h', '7d', '30d'] as const;
export type LastSpan = (typeof LAST_SPANS)[number];
const SPAN_MS: Readonly<Record<LastSpan, number>> = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 };

/** When requests arrived: lately, or between two moments (ms since 1970), of which one may stay open. */
export type TimeRange = { readonly kind: 'last'; readonly span: LastSpan } | { readonly kind: 'between'; readonly from: number | null; readonly to: number | null };

/** What the user narrowed the list to; like the filter of the log, but a range may move with the clock. */
export interface PageFilter extends Omit<LogFilter, 'from' | 'to'> {
  readonly range?: TimeRange;
}

/** The filter that shows everything. */
export const NO_FILTER: PageFilter = {};

/** The fields whose entries are alternatives. */
export type ListField = 'outcomes' | 'upstreams' | 'models' | 'clients' | 'keys' | 'statusClasses' | 'errorCodes';
/** Each with what one entry of it looks like. */
export type FieldValue<F extends ListField> = NonNullable<PageFilter[F]>[number];

/** Whether anything is narrowed. */
export function isNarrowed(filter: PageFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** The filter with some fields set anew; undefined takes a field away. */
export function withFields(filter: PageFilter, change: { readonly [K in keyof PageFilter]?: PageFilter[K] | undefined }): PageFilter {
  const entries = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0));
  return Object.fromEntries(entries);
}

/** The filter with one entry of a field added, or taken away where it stood. */
export function toggled<F extends ListField>(filter: PageFilter, field: F, value: FieldValue<F>): PageFilter {
  const now = (filter[field] ?? []) as readonly FieldValue<F>[];
  return withFields(filter, { [field]: now.includes(value) ? now.filter((one) => one !== value) : [...now, value] });
}

/** The filter as the log takes it, at `nowMs` (ms since 1970). */
export function toLogFilter({ range, ...rest }: PageFilter, nowMs: number): LogFilter {
  if (range === undefined) return rest;
  if (range.kind === 'last') return { ...rest, from: nowMs - SPAN_MS[range.span] };
  return { ...rest, ...(range.from !== null && { from: range.from }), ...(range.to !== null && { to: range.to }) };
}

/** Whether a row passes, judged as the log judges it: live rows obey the same filter. */
export function passes(filter: LogFilter, row: ExchangeRow): boolean {
  const among = <T>(wanted: readonly T[] | undefined, ...values: readonly (T | null)[]) => wanted === undefined || values.some((value) => value !== null && wanted.includes(value));
  if (filter.retriedOnly === true && row.retries === 0) return false;
  if (filter.from !== undefined && row.started_at < filter.from) return false;
  if (filter.to !== undefined && row.started_at >= filter.to) return false;
  return among(filter.outcomes, row.outcome) && among(filter.upstreams, row.upstream) && among(filter.models, row.model_asked, row.model_served) && among(filter.clients, row.client)
    && among(filter.keys, row.key_name) && among<number>(filter.statusClasses, row.status === null ? null : Math.floor(row.status / 100)) && among(filter.errorCodes, row.error_code)
    && (filter.sessionId === undefined || row.session_id === filter.sessionId) && holds(row, filter.text);
}

// What attempts say counts where there were several: the only one says the same as its row.
function holds(row: ExchangeRow, text: string | undefined): boolean {
  if (text === undefined) return true;
  const wanted = text.toLowerCase();
  const said = row.attempts > 1 ? row.detail.attempts.flatMap((attempt) => [attempt.upstream, attempt.model, attempt.code, attempt.message]) : [];
  return [row.model_asked, row.model_served, row.path, row.error_code, row.error_message, row.session_id, row.id, row.upstream, row.client, ...said].some((field) => field?.toLowerCase().includes(wanted) === true);
}

const MOMENT = /^(?:(\d{4})-(\d{1,2})-(\d{1,2}))?[ T]*(?:(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** `2026-03-14`, `2026-03-14 9:30`, `09:30` (of the day of `nowMs`) as ms since 1970 by the clock of this machine; null when it cannot be read. */
export function parseMoment(text: string, nowMs: number): number | null {
  const found = MOMENT.exec(text.trim());
  if (found === null || text.trim() === '') return null;
  const [, year, month, day, hour, minute, second] = found.map((part: string | undefined) => (part === undefined ? undefined : Number(part)));
  const today = new Date(nowMs);
  const at = new Date(year ?? today.getFullYear(), month === undefined ? today.getMonth() : month - 1, day ?? today.getDate(), hour ?? 0, minute ?? 0, second ?? 0);
  // A 31st of February rolls over into March, and is refused.
  const meant = (month === undefined || at.getMonth() === month - 1) && (day === undefined || at.getDate() === day) && (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) < 60;
  return meant ? at.getTime() : null;
}

/** The way `parseMoment` reads, of ms since 1970: `2026-03-14 09:30`. */
export function writeMoment(utcMs: number): string {
  const at = new Date(utcMs);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
