import type { Database } from 'better-sqlite3';
import type { ConfigurationPatch, StoredConfiguration } from '../protocol.ts';

/** Puts in every setting that is not there yet (SPEC 14: seeded with defaults at first start); those that are stay as they are. */
export function seedSettings(db: Database, settings: StoredConfiguration['settings']): void {
  const insert = db.prepare('INSERT OR IGNORE INTO settings (key, value) VALUES (@key, @value)');
  db.transaction(() => { for (const setting of settings) insert.run(setting); }).immediate();
}

export function readConfiguration(db: Database): StoredConfiguration {
  const all = (sql: string) => db.prepare(sql).all() as never;
  return {
    settings: all('SELECT key, value FROM settings'),
    upstreams: all('SELECT id, value, secret_ids FROM upstreams ORDER BY position'),
    routes: all('SELECT id, value FROM routes ORDER BY position'),
    keys: all('SELECT id, name, hint, disabled, created_at, secret_id FROM gateway_keys ORDER BY position'),
    state: all('SELECT key, value FROM app_state'),
  };
}

/** Writes a change whole or not at all. On disk when it returns, also if the machine loses power. Throws when it cannot be written. */
export function writeConfiguration(db: Database, patch: ConfigurationPatch): void {
  // Rows of the log may be lost with the power, a saved setting may not.
  db.pragma('synchronous = FULL');
  try {
    db.transaction(() => { applyPatch(db, patch); }).immediate();
  } finally {
    db.pragma('synchronous = NORMAL');
  }
}

function applyPatch(db: Database, patch: ConfigurationPatch): void {
  const setting = db.prepare('INSERT INTO settings (key, value) VALUES (@key, @value) ON CONFLICT (key) DO UPDATE SET value = excluded.value');
  for (const entry of patch.settings ?? []) setting.run(entry);
  const state = db.prepare('INSERT INTO app_state (key, value) VALUES (@key, @value) ON CONFLICT (key) DO UPDATE SET value = excluded.value');
  for (const entry of patch.state ?? []) state.run(entry);
  replaceList(db, 'upstreams', 'id, value, secret_ids', patch.upstreams);
  replaceList(db, 'routes', 'id, value', patch.routes);
  replaceList(db, 'gateway_keys', 'id, name, hint, disabled, created_at, secret_id', patch.keys);
}

// The lists are short and their order is the user's, so they are written anew.
function replaceList(db: Database, table: string, columns: string, entries: readonly object[] | undefined): void {
  if (entries === undefined) return;
  db.exec(`DELETE FROM ${table}`);
  const insert = db.prepare(`INSERT INTO ${table} (position, ${columns}) VALUES (@position, ${columns.split(', ').map((column) => `@${column}`).join(', ')})`);
  entries.forEach((entry, position) => { insert.run({ ...entry, position }); });
}
