import type { SqlValue } from '../log-row.ts';

/** A piece of SQL that is true or not, and what its question marks stand for. */
export interface Condition { readonly sql: string; readonly bindings: readonly SqlValue[] }

/** True when all of them are; of none, always. */
export function allOf(conditions: readonly Condition[]): Condition {
  return { sql: conditions.length === 0 ? 'TRUE' : conditions.map((one) => one.sql).join(' AND '), bindings: conditions.flatMap((one) => one.bindings) };
}

/** True for the rows whose column has one of the values. */
export function among(column: string, values: readonly SqlValue[]): Condition {
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, bindings: values };
}
