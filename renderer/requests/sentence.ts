import type { TFunction } from 'i18next';
import type { Formatter } from '../format.ts';
import type { AttemptRow, ExchangeRow } from '../../shared/log.ts';
import { lastPauseMs } from './last-pause.ts';

/** One or more plain sentences that say what happened to an exchange, made from its row alone (UI.md, detail drawer). */
export function sentenceOf(row: ExchangeRow, t: TFunction, format: Formatter): string {
  return format.sentences([queue(row, t, format), middle(row, t, format), ending(row, t, format), resent(row, t, format), clientRetry(row, t)]);
}

/** What a provider may have charged for besides the answer; empty when nothing (UI.md). */
export function billedOf(row: ExchangeRow, t: TFunction): string {
  const count = row.detail.attempts.filter(maybeBilled).length;
  if (count === 0) return '';
  return missingAttempts(row) > 0 ? t('sentence.billed_least', { count }) : t('sentence.billed', { count });
}

/** Attempts that were made and are not kept: of very many only the first and the last stay in the row. */
export function missingAttempts(row: ExchangeRow): number {
  const kept = row.detail.attempts;
  return kept.length === 0 ? 0 : Math.max(0, Math.max(row.attempts, ...kept.map((attempt) => attempt.n)) - kept.length);
}

// It stood in line before anything was sent, or between attempts; a wait for a rate limit is told with the pauses.
function queue(row: ExchangeRow, t: TFunction, format: Formatter): string {
  return row.queued_ms < 100 || row.outcome === 'refused' ? '' : t('sentence.queued', { ms: format.duration(row.queued_ms) });
}

/** What failed and what was waited for, before the end. */
function middle(row: ExchangeRow, t: TFunction, format: Formatter): string {
  const failed = row.detail.attempts.filter((attempt) => attempt.outcome === 'failed');
  if (failed.length === 0 || (row.attempts === 1 && row.outcome !== 'success')) return '';
  const missing = missingAttempts(row);
  const what = missing === 0 ? format.list(chain(failed, t, format)) : t('sentence.many_failed', { count: failed.length + missing, n: format.number(failed.length + missing), reasons: reasons(failed, t, format, false) });
  const waits = row.detail.attempts.filter((attempt) => attempt.pause_ms !== null);
  const sent = row.retries === 0 ? '' : t('sentence.sent_again', { count: row.retries, n: format.number(row.retries), waits: waitWords(row, waits, t, format) });
  const over = row.failovers > 0 && row.retries === 0 ? t('sentence.failed_over', { what }) : t('sentence.failed', { what });
  return format.sentences([over, sent]);
}

/** `anthropic failed twice (529, 503)`, one entry per upstream in order. */
function chain(failed: readonly AttemptRow[], t: TFunction, format: Formatter): string[] {
  const upstreams = [...new Set(failed.map((attempt) => attempt.upstream))];
  return upstreams.map((upstream) => {
    const own = failed.filter((attempt) => attempt.upstream === upstream);
    return t('sentence.upstream_failed', { count: own.length, n: format.number(own.length), upstream, reasons: reasons(own, t, format) });
  });
}

// What they have in common is said once: `overloaded or down: 529, 503 × 2`.
function reasons(attempts: readonly AttemptRow[], t: TFunction, format: Formatter, counted = true): string {
  const [first] = attempts;
  const common = first?.class != null && attempts.length > 1 && attempts.every((attempt) => attempt.class === first.class) ? first.class : null;
  const counts = new Map<string, number>();
  for (const attempt of attempts) {
    const reason = common === null ? shortReason(attempt, t) : bareReason(attempt, t);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  if (first !== undefined && counts.size === 1) return shortReason(first, t);
  const list = format.series([...counts].map(([reason, count]) => (count === 1 || !counted ? reason : t('sentence.times', { reason, n: format.number(count) }))));
  return common === null ? list : t('sentence.common', { what: t(`failure.class.${common}`), list });
}

function bareReason(attempt: AttemptRow, t: TFunction): string {
  if (inStream(attempt)) return shortReason(attempt, t);
  return attempt.status === null ? (attempt.code ?? t('value.unknown')) : String(attempt.status);
}

function inStream(attempt: Pick<AttemptRow, 'where'>): boolean {
  return attempt.where === 'opening' || attempt.where === 'after_content';
}

/** Why an attempt failed, in a few words: its status and class (`503, overloaded or down for a moment`). */
export function shortReason(attempt: Pick<AttemptRow, 'status' | 'class' | 'code' | 'where'>, t: TFunction): string {
  const what = attempt.class === null ? (attempt.code ?? '') : t(`failure.class.${attempt.class}`);
  if (inStream(attempt)) return t('sentence.in_stream', { what: attempt.code ?? what });
  return attempt.status === null ? what : `${attempt.status} ${what}`;
}

function waitWords(row: ExchangeRow, waits: readonly AttemptRow[], t: TFunction, format: Formatter): string {
  if (waits.length === 0 || waits.length > 4) return t('sentence.waits_total', { total: format.duration(row.pause_ms - lastPauseMs(row)) });
  const list = format.list(waits.map((attempt) => t(`sentence.wait_${attempt.pause_reason ?? 'backoff'}`, { ms: format.duration(attempt.pause_ms ?? 0) })));
  return waits.length === 1 ? t('sentence.wait_once', { list }) : t('sentence.waits', { list });
}

/** How it ended, and why it was not tried again when it was not. */
function ending(row: ExchangeRow, t: TFunction, format: Formatter): string {
  const upstream = row.upstream ?? '';
  const last = row.detail.attempts.at(-1);
  switch (row.outcome) {
    case null: return t('sentence.running');
    case 'success': return success(row, t, upstream);
    case 'failed': return failure(row, last, t);
    case 'cancelled': return t(`sentence.cancelled_${row.detail.left_during ?? 'attempt'}`, { ms: format.duration(row.duration_ms ?? 0) });
    case 'truncated': return t('sentence.truncated', { upstream });
    case 'refused': return t('sentence.refused', { status: row.status ?? '', code: row.error_code ?? '' });
    case 'interrupted': return t('sentence.interrupted');
  }
}

function success(row: ExchangeRow, t: TFunction, upstream: string): string {
  if (row.detail.replayed === true) return t('sentence.replayed');
  if (row.retries > 0) return t('sentence.then_answered', { upstream });
  if (row.failovers > 0) return t('sentence.failover_answered', { upstream });
  return t('sentence.first_try', { upstream });
}

function failure(row: ExchangeRow, last: AttemptRow | undefined, t: TFunction): string {
  const reason = row.give_up === null ? '' : t(`give_up.${row.give_up}`);
  if (last === undefined) return reason === '' ? t('sentence.failed_unsent') : t('sentence.failed_unsent_because', { reason });
  const what = shortReason(last, t);
  const { upstream } = last;
  if (row.attempts > 1) return reason === '' ? t('sentence.gave_up_plain', { upstream }) : t('sentence.gave_up', { reason, upstream });
  return reason === '' ? t('sentence.not_retried_plain', { what, upstream }) : t('sentence.not_retried', { reason, what, upstream });
}

/** Whether the provider may have billed an attempt without a whole answer: its request was sent whole (UI.md). */
export function maybeBilled(attempt: AttemptRow): boolean {
  return attempt.sent_whole && attempt.outcome !== 'answered';
}

// The upstream may have seen it twice, whatever the number of attempts.
function resent(row: ExchangeRow, t: TFunction, format: Formatter): string {
  const count = row.detail.attempts.filter((attempt) => attempt.resent).length;
  return count === 0 ? '' : t('sentence.resent', { count, n: format.number(count) });
}

function clientRetry(row: ExchangeRow, t: TFunction): string {
  return row.client_retry === null || row.client_retry === 0 ? '' : t('sentence.client_retry', { count: row.client_retry });
}
