import type { Database } from 'better-sqlite3';
import type { SealPatch, StoredSeal } from '../protocol.ts';

/** Everything that is remembered, oldest first. */
export function readSeals(db: Database): readonly StoredSeal[] {
  return db.prepare('SELECT seal, upstream, learned_at FROM sealed_history ORDER BY learned_at, seal').all() as StoredSeal[];
}

/** Adds what was learned and removes what is too old or too much, in one transaction. Throws when it cannot be written. */
export function writeSeals(db: Database, { seals, keptSince, most }: SealPatch): void {
  const learn = db.prepare(`INSERT INTO sealed_history (seal, upstream, learned_at) VALUES (@seal, @upstream, @learned_at)
    ON CONFLICT (seal) DO UPDATE SET upstream = excluded.upstream, learned_at = excluded.learned_at`);
  db.transaction(() => {
    for (const entry of seals) learn.run(entry);
    db.prepare('DELETE FROM sealed_history WHERE learned_at < ?').run(keptSince);
    db.prepare('DELETE FROM sealed_history WHERE seal IN (SELECT seal FROM sealed_history ORDER BY learned_at DESC, seal LIMIT -1 OFFSET ?)').run(most);
  }).immediate();
}
