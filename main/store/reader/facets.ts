import type { Database } from 'better-sqlite3';
import type { LogFacets } from '../../../shared/log.ts';

const MOST_VALUES = 100;
// Who has more different values of a field than this does not choose from a menu.
const MOST_LOOKED_AT = 1_000;

/** The different values of the fields that filters are made of. Jumps from value to value in the indexes, so it does not grow with the rows. */
export function readFacets(db: Database): LogFacets {
  return {
    upstreams: newest(valuesIn(db, 'gateway_logs_upstream', 'upstream', 'upstream IS NOT NULL')),
    models: newest([
      ...valuesIn(db, 'gateway_logs_asked', 'model_asked', 'model_asked IS NOT NULL'),
      ...valuesIn(db, 'gateway_logs_served', 'model_served', 'model_served IS NOT model_asked'),
    ]),
    clients: newest(valuesIn(db, 'gateway_logs_client', 'client', 'client IS NOT NULL')),
    keys: newest(valuesIn(db, 'gateway_logs_key', 'key_name', 'key_name IS NOT NULL')),
    errorCodes: newest(valuesIn(db, 'gateway_logs_error', 'error_code', 'error_code IS NOT NULL')),
  };
}

interface Used { readonly value: string; readonly atUtcMs: number }

function valuesIn(db: Database, index: string, column: string, indexed: string): Used[] {
  const from = `FROM gateway_logs INDEXED BY ${index} WHERE ${indexed} AND ${column}`;
  const after = db.prepare(`SELECT ${column} ${from} > ? ORDER BY ${column} LIMIT 1`).pluck();
  const lastUse = db.prepare(`SELECT started_at ${from} = ? ORDER BY started_at DESC LIMIT 1`).pluck();
  const values: Used[] = [];
  for (let value = after.get('') as string | undefined; value !== undefined && values.length < MOST_LOOKED_AT; value = after.get(value) as string | undefined) {
    values.push({ value, atUtcMs: lastUse.get(value) as number });
  }
  return values;
}

function newest(values: readonly Used[]): readonly string[] {
  const sorted = [...values].sort((a, b) => b.atUtcMs - a.atUtcMs);
  return [...new Set(sorted.map((one) => one.value))].slice(0, MOST_VALUES);
}
