import type { KeptContents } from '../../shared/contents.ts';
import type { ExchangeEvent } from '../../shared/events.ts';
import type { ExchangeRow, LogCount, LogCursor, LogFacets, LogFilter, LogPage, LogQuery, LogView } from '../../shared/log.ts';
import type { ExportRequest } from '../../shared/export.ts';
import type { Figures, FigureSpan } from '../../shared/figures.ts';
import type { SeenContents } from '../gateway/ports.ts';

/** Why a store cannot be opened; nothing has been changed then (SPEC 15). */
export type StoreRefusal =
  /** The database was written by a newer version: `found` and `supported` are schema versions. */
  | { readonly kind: 'newer_version'; readonly file: string; readonly found: number; readonly supported: number }
  /** The folder or the database cannot be written; `reason` is the system's own words. */
  | { readonly kind: 'not_writable'; readonly dataDir: string; readonly reason: string }
  | { readonly kind: 'disk_full'; readonly dataDir: string }
  /** Another process has the data folder open. */
  | { readonly kind: 'locked'; readonly dataDir: string }
  | { readonly kind: 'failed'; readonly dataDir: string; readonly reason: string };

/** What a user has to be told about the store (SPEC 15). */
export type StoreNotice =
  /** The database could not be read; it was moved to `file` and a new one begun. */
  | { readonly kind: 'corrupt_set_aside'; readonly file: string }
  | { readonly kind: 'setting_repaired'; readonly key: string; readonly how: 'clamped' | 'default' }
  /** A stored upstream, route or key that makes no sense to this version; it is left out. */
  | { readonly kind: 'entry_unreadable'; readonly part: 'upstreams' | 'routes' | 'keys'; readonly id: string }
  /** The secret of a gateway key is gone or sealed: nobody can use that key. */
  | { readonly kind: 'key_unreadable'; readonly name: string };

/** Everything of the configuration as it lies on disk; JSON texts are not yet looked at. */
export interface StoredConfiguration {
  readonly settings: readonly { readonly key: string; readonly value: string }[];
  /** `value` without secrets; `secret_ids` says where they lie. */
  readonly upstreams: readonly { readonly id: string; readonly value: string; readonly secret_ids: string }[];
  readonly routes: readonly { readonly id: string; readonly value: string }[];
  readonly keys: readonly { readonly id: string; readonly name: string; readonly hint: string; readonly disabled: number; readonly created_at: number; readonly secret_id: string }[];
  readonly state: readonly { readonly key: string; readonly value: string }[];
}

/** A change of the configuration, written in one transaction: settings and state one by one, lists as a whole. */
export type ConfigurationPatch = Partial<StoredConfiguration>;

export type OpenAnswer =
  | { readonly kind: 'open'; readonly stored: StoredConfiguration; readonly seals: readonly StoredSeal[]; readonly setAside: string | null; readonly interrupted: number }
  | StoreRefusal;

/** What becomes of one row: `started` inserts it, `finished` completes or inserts it, `forget` takes it back. The first two are events as they come. */
export type RowChange =
  | Extract<ExchangeEvent, { readonly kind: 'started' | 'finished' }>
  | { readonly kind: 'forget'; readonly id: string };

/** What is to be kept of one exchange beside its row. */
export interface ContentsChange { readonly id: string; readonly seen: SeenContents; /** About what it weighs in memory. */ readonly characters: number }

/** What is written in one transaction: rows, then contents of these or earlier rows. */
export interface LogBatch { readonly rows: readonly RowChange[]; readonly contents: readonly ContentsChange[] }

export type RowsWritten =
  /** Counts ends of exchanges, and contents, that could not be written; `reason` is of the first. `usedBytes`: what the database holds. */
  | { readonly kind: 'written'; readonly lost: number; readonly lostContents: number; readonly reason: string | null; readonly usedBytes: number; /** The file had been removed, and was put back: other connections still have the removed one. */ readonly fileWasGone?: true }
  /** Nothing was written; the same batch may succeed later (a full disk, a lock held by another program). */
  | { readonly kind: 'later'; readonly reason: string };

/** Which upstream made a sealed item: hash of the seal, id of the upstream, ms since 1970 (SPEC 9.5). */
export interface StoredSeal { readonly seal: string; readonly upstream: string; readonly learned_at: number }

/** Seals to add, and what is to be kept of all there are: those learned since then, the newest `most`. */
export interface SealPatch { readonly seals: readonly StoredSeal[]; readonly keptSince: number; readonly most: number }

export interface RetentionLimits {
  /** Now, ms since 1970. */
  readonly utcMs: number;
  /** Rows that began before this are removed, ms since 1970. */
  readonly beforeUtcMs: number;
  /** Bodies of exchanges that began before this are removed, ms since 1970; their rows stay. */
  readonly bodiesBeforeUtcMs: number;
  readonly maxBytes: number;
  /** The user wants it gone: what is removed is written over in the file. */
  readonly wipe?: true;
}

export interface WriterCalls {
  open: { argument: { readonly dataDir: string; readonly utcMs: number; readonly settings: StoredConfiguration['settings']; /** `again`: the thread is a new one, the process is not. */ readonly how: 'first' | 'again' }; answer: OpenAnswer };
  /** `secrets`: what has to be masked in the contents, by its value; with every batch, since the thread may be a new one. */
  write_rows: { argument: LogBatch & { readonly secrets: readonly string[] }; answer: RowsWritten };
  write_configuration: { argument: ConfigurationPatch; answer: null };
  write_seals: { argument: SealPatch; answer: null };
  /** One small step; `more` asks for another. */
  retain: { argument: RetentionLimits; answer: { readonly removed: number; readonly more: boolean } };
  /** Takes figures and memories of answers away, whatever their age. */
  forget: { argument: null; answer: null };
  /** Writes the file anew, so that it holds nothing of what was deleted from it; quick where little is left. */
  compact: { argument: null; answer: null };
  close: { argument: null; answer: null };
}

/** Asks how many rows there are. */
export interface CountQuery { readonly view: LogView; readonly filter: LogFilter }

/** Asks for the next rows of an export; `before` null: the newest. */
export interface ExportQuery extends ExportRequest { readonly before: LogCursor | null }

/** Some rows as they stand in an exported file, and where the next ones begin; `next` null: these were the last. */
export interface ExportSlice {
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly next: LogCursor | null;
}

export interface ReaderCalls {
  list: { argument: LogQuery; answer: LogPage };
  /** The same page as JSON text. */
  list_text: { argument: LogQuery; answer: string };
  count: { argument: CountQuery; answer: LogCount };
  facets: { argument: null; answer: LogFacets };
  export_slice: { argument: ExportQuery; answer: ExportSlice };
  /** How many rows an export will have; null when counting them takes too long. */
  export_total: { argument: LogFilter; answer: number | null };
  get: { argument: string; answer: ExchangeRow | null };
  contents: { argument: string; answer: KeptContents | null };
  figures: { argument: { readonly span: FigureSpan; readonly utcMs: number }; answer: Figures };
  /** Argument: how many. */
  recent_models: { argument: number; answer: readonly string[] };
  close: { argument: null; answer: null };
}

/** The calls of a worker: what each takes and gives. */
export type Calls<T> = { readonly [K in keyof T]: { readonly argument: unknown; readonly answer: unknown } };
export type Handlers<T extends Calls<T>> = { readonly [K in keyof T]: (argument: T[K]['argument']) => T[K]['answer'] | Promise<T[K]['answer']> };

/** One call on its way to a worker, and the answer on its way back. */
export interface CallMessage { readonly id: number; readonly name: string; readonly argument: unknown }
export type AnswerMessage =
  | { readonly id: number; readonly ok: true; readonly answer: unknown }
  | { readonly id: number; readonly ok: false; readonly reason: string };

/** Name of the database inside the data folder. */
export const DATABASE_NAME = 'holdfast.db';
