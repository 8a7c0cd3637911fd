import type { LogFilter } from '../../../shared/log.ts';
import type { SqlValue } from '../log-row.ts';
import { allOf, among, type Condition } from './condition.ts';
import { holdsText } from './text-match.ts';

/** The entries of one index that have one of the values, in the order of time inside each value. */
export interface Walk {
  readonly index: string;
  /** What the index begins with; null when that is the time. */
  readonly column: string | null;
  readonly values: readonly SqlValue[];
  /** What the index takes rows by; it can be told without looking at a row. */
  readonly indexed: Condition;
  /** What else must be true, told by the row; null when nothing is. */
  readonly also: Condition | null;
}

/** One field of a filter: which rows pass, and the walks that together meet each of them once. */
export interface FilterField { readonly passes: Condition; readonly walks: readonly Walk[] }

const ALWAYS = allOf([]);
const SERVED_OTHERWISE = bare('model_served IS NOT model_asked');

/** Meets every row. */
export const ALL_ROWS: Walk = { index: 'gateway_logs_newest', column: null, values: [], indexed: ALWAYS, also: null };

/** The fields a filter has, but for its times and its text. An empty list of alternatives is none. */
export function fieldsOf(filter: LogFilter): readonly FilterField[] {
  return [
    ...field('gateway_logs_outcome', 'outcome', filter.outcomes),
    ...(filter.retriedOnly === true ? [retried()] : []),
    ...field('gateway_logs_upstream', 'upstream', filter.upstreams),
    ...models(filter.models),
    ...field('gateway_logs_client', 'client', filter.clients),
    ...field('gateway_logs_key', 'key_name', filter.keys),
    ...field('gateway_logs_status', 'status / 100', filter.statusClasses, 'status IS NOT NULL'),
    ...field('gateway_logs_error', 'error_code', filter.errorCodes),
    ...(filter.sessionId === undefined ? [] : [session(filter.sessionId)]),
  ];
}

/** What the text of a filter asks; null without one. */
export function textOf(filter: LogFilter): Condition | null {
  return filter.text === undefined || filter.text === '' ? null : holdsText(filter.text);
}

function field(index: string, column: string, wanted: readonly SqlValue[] | undefined, known?: string): FilterField[] {
  const values = [...new Set(wanted)];
  if (values.length === 0) return [];
  return [{ passes: among(column, values), walks: [{ index, column, values, indexed: known === undefined ? ALWAYS : bare(known), also: null }] }];
}

function retried(): FilterField {
  const passes = bare('retries > 0');
  return { passes, walks: [{ index: 'gateway_logs_retried', column: null, values: [], indexed: passes, also: null }] };
}

function models(wanted: readonly string[] | undefined): FilterField[] {
  const values = [...new Set(wanted)];
  if (values.length === 0) return [];
  const asked = among('model_asked', values);
  const served = among('model_served', values);
  // Served rows that were asked for as well are met by the first walk.
  const notAsked: Condition = { sql: `(${asked.sql}) IS NOT TRUE`, bindings: values };
  return [{
    passes: { sql: `(${asked.sql} OR ${served.sql})`, bindings: [...values, ...values] },
    walks: [
      { index: 'gateway_logs_asked', column: 'model_asked', values, indexed: ALWAYS, also: null },
      { index: 'gateway_logs_served', column: 'model_served', values, indexed: SERVED_OTHERWISE, also: notAsked },
    ],
  }];
}

function session(id: string): FilterField {
  // The index holds the ends of session ids (SQLite counts characters as code points).
  const end = Array.from(id).slice(-8).join('');
  const passes: Condition = { sql: 'session_id = ?', bindings: [id] };
  return { passes, walks: [{ index: 'gateway_logs_session', column: 'substr(session_id, -8)', values: [end], indexed: bare('session_id IS NOT NULL'), also: passes }] };
}

function bare(sql: string): Condition {
  return { sql, bindings: [] };
}
