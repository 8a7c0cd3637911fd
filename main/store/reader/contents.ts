import type { Database } from 'better-sqlite3';
import { gunzipSync } from 'node:zlib';
import type { KeptBody, KeptContents } from '../../../shared/contents.ts';
import { unpackHeaders } from '../contents/stored-headers.ts';

interface BodiesRecord {
  readonly request: Buffer | null;
  readonly request_bytes: number | null;
  readonly request_cut: number | null;
  readonly answer: Buffer | null;
  readonly answer_bytes: number | null;
  readonly answer_cut: number | null;
}

/** What is kept of an exchange beside its row; null when nothing is. Throws when what is stored cannot be read. */
export function getContents(db: Database, id: string): KeptContents | null {
  const packed = db.prepare('SELECT headers FROM gateway_log_contents WHERE id = ?').pluck().get(id) as Buffer | undefined;
  if (packed === undefined) return null;
  const { method, request, answer } = unpackHeaders(packed);
  const bodies = db.prepare('SELECT request, request_bytes, request_cut, answer, answer_bytes, answer_cut FROM gateway_log_bodies WHERE id = ?').get(id) as BodiesRecord | undefined;
  return {
    method, requestHeaders: request, answerHeaders: answer,
    request: bodies === undefined ? null : bodyOf(bodies.request, bodies.request_bytes, bodies.request_cut),
    answer: bodies === undefined ? null : bodyOf(bodies.answer, bodies.answer_bytes, bodies.answer_cut),
  };
}

function bodyOf(packed: Buffer | null, bytes: number | null, cut: number | null): KeptBody | null {
  return bytes === null ? null : { bytes, text: packed === null ? null : gunzipSync(packed).toString(), cut: cut === 1 };
}
