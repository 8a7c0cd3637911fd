import type { Database } from 'better-sqlite3';
import { gzipSync } from 'node:zlib';
import { createContentsMask, type MaskedBody } from '../contents/masked-contents.ts';
import { packHeaders } from '../contents/stored-headers.ts';
import type { ContentsChange } from '../protocol.ts';

/** Writes what is kept of exchanges beside their rows, with the secrets masked (SPEC 12.4, 12.5). */
export interface ContentsWriter {
  /** Throws when it cannot be written. Contents whose row is not there are left out. */
  write(change: ContentsChange): void;
  /** The secrets of this installation: masked wherever they stand from now on. */
  know(secrets: readonly string[]): void;
}

export function createContentsWriter(db: Database): ContentsWriter {
  const row = db.prepare('SELECT started_at FROM gateway_logs WHERE id = ?').pluck();
  const headers = db.prepare('INSERT OR REPLACE INTO gateway_log_contents (id, headers) VALUES (?, ?)');
  const bodies = db.prepare(`INSERT OR REPLACE INTO gateway_log_bodies (id, started_at, request, request_bytes, request_cut, answer, answer_bytes, answer_cut)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const mask = createContentsMask();
  let known: readonly string[] = [];

  return {
    know: (secrets) => {
      // They come anew with every batch; the same list as before keeps what was masked with it.
      if (secrets.length > 0 && (secrets.length !== known.length || secrets.some((secret, n) => secret !== known[n]))) known = [...secrets];
    },
    write: ({ id, seen }) => {
      const startedAt = row.get(id);
      // Requests beyond what is written of a hostile page have no row.
      if (startedAt === undefined) return;
      const masked = mask.of(seen, known);
      headers.run(id, packHeaders(masked.headers));
      if (masked.request !== null || masked.answer !== null) bodies.run(id, startedAt, ...packed(masked.request), ...packed(masked.answer));
    },
  };
}

function packed(body: MaskedBody | null): readonly [Buffer | null, number | null, number | null] {
  if (body === null) return [null, null, null];
  return [body.text === null ? null : gzipSync(body.text, { level: 3 }), body.bytes, body.cut ? 1 : 0];
}

// Each of them may be many pages.
const BODIES_PER_STEP = 25;

/** Removes a few of the oldest bodies of exchanges that began before this, ms since 1970; how many there were. Headers stay with their rows. */
export function removeOldBodies(db: Database, beforeUtcMs: number): { readonly removed: number; readonly more: boolean } {
  const removed = db.prepare(`DELETE FROM gateway_log_bodies WHERE id IN (SELECT id FROM gateway_log_bodies WHERE started_at < ? ORDER BY started_at, id LIMIT ${BODIES_PER_STEP})`).run(beforeUtcMs).changes;
  return { removed, more: removed === BODIES_PER_STEP };
}
