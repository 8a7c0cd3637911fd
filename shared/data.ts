import type { DocumentFault } from './document.ts';
import type { ExportFailure } from './export.ts';

/** How many entries of a list would be new, different, taken out, and as they are. */
export interface ChangeCounts { readonly added: number; readonly changed: number; readonly removed: number; readonly same: number }

/** What a document would open or lead elsewhere: the network, no key, bodies kept, pages, host names, keys, places of upstreams, environment variables. */
export const IMPORT_WARNINGS = ['lan', 'no_key', 'bodies', 'origins', 'hosts', 'keys', 'places', 'environment'] as const;
export type ImportWarningKind = (typeof IMPORT_WARNINGS)[number];
export interface ImportWarning { readonly kind: ImportWarningKind; /** What it is about, fit to be shown. */ readonly names: readonly string[] }

/** What taking over a document would change, before anything is. */
export interface DocumentPreview {
  /** `merge`: what the document does not name stays; `replace`: the configuration becomes what the document says. */
  readonly mode: 'merge' | 'replace';
  readonly settings: ChangeCounts;
  readonly upstreams: ChangeCounts;
  readonly routes: ChangeCounts;
  readonly keys: ChangeCounts;
  /** Names of upstreams whose secrets are neither in the document nor here: they have to be entered again. */
  readonly needSecret: readonly string[];
  /** Names of gateway keys that cannot come back, since the document holds only their hints. */
  readonly keysLost: readonly string[];
  readonly warnings: readonly ImportWarning[];
}

/** A document that was opened; `token` names it until it is applied, forgotten, or another one is opened. `file` is its name without folder. */
export type DocumentOpening =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly file: string; readonly faults: readonly DocumentFault[] }
  /** Its secrets are encrypted; it can be taken over without them, too. */
  | { readonly kind: 'locked'; readonly token: string; readonly file: string; readonly preview: DocumentPreview }
  | { readonly kind: 'ready'; readonly token: string; readonly file: string; readonly preview: DocumentPreview };

/** How the password did. `gone`: the document is not open any more. */
export type DocumentUnlocked = DocumentOpening | { readonly kind: 'wrong_password' } | { readonly kind: 'gone' };

/** How taking over went. `backup` is a file name in the folder of backups; `undo` takes all of it back for half a minute. */
export type DocumentApplied =
  | { readonly kind: 'applied'; readonly preview: DocumentPreview; readonly backup: string; readonly undo: string }
  | { readonly kind: 'refused'; readonly file: string; readonly faults: readonly DocumentFault[] }
  | { readonly kind: 'gone' };

/** How taking an import, a restore or a reset back went. `changed`: the configuration was edited since. */
export type ChangeUndone = 'restored' | 'expired' | 'changed';

/** Shortest password of an export, characters. */
export const SHORTEST_PASSWORD = 8;

/** How writing the configuration into a file went. `secrets` counts those in it; `unreadable` names upstreams and keys whose secrets could not be read. */
export type DocumentExported =
  | { readonly kind: 'written'; readonly file: string; readonly secrets: number; readonly unreadable: readonly string[] }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly reason: ExportFailure };

/** Why a backup was made: by the day, by hand, or before a change that replaces much. */
export const BACKUP_KINDS = ['daily', 'manual', 'before'] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];

/** A kept backup of the configuration. */
export interface Backup {
  /** File name in the folder of backups. */
  readonly name: string;
  readonly kind: BackupKind;
  /** Ms since 1970. */
  readonly madeAt: number;
  readonly sizeBytes: number;
}

/** What a reset takes away: the settings alone; with upstreams, routes, keys and prices; or everything, the log and the backups included. */
export const RESETS = ['settings', 'configuration', 'everything'] as const;
export type Reset = (typeof RESETS)[number];

/** How a reset went: the backup made before it and a way back for half a minute, where there are any. */
export interface ResetDone { readonly backup: string | null; readonly undo: string | null }

/** Folders that can be opened from the window. */
export const FOLDERS = ['data', 'backups', 'log'] as const;
export type FolderName = (typeof FOLDERS)[number];

/** The diagnostics bundle as text (JSON), secrets masked; shown before it is saved. */
export interface Diagnostics { readonly text: string }
export type DiagnosticsSaved = { readonly kind: 'written'; readonly file: string } | { readonly kind: 'cancelled' } | { readonly kind: 'failed'; readonly reason: ExportFailure };

/** A package that is part of the app. */
export interface Licence {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** The text that has to go along; empty when its authors ship none. */
  readonly text: string;
}

/** Addresses outside that the window may open, by name; there are no others. */
export const LINKS = { electron: 'https://www.electronjs.org/', chromium: 'https://www.chromium.org/', node: 'https://nodejs.org/' } as const;
export type LinkName = keyof typeof LINKS;

/** Something the user has to be told about the stored data, until it is put away. */
export type DataNotice =
  | { readonly kind: 'corrupt_set_aside'; readonly file: string }
  | { readonly kind: 'setting_repaired'; readonly key: string; readonly how: 'clamped' | 'default' }
  | { readonly kind: 'entry_unreadable'; readonly part: 'upstreams' | 'routes' | 'keys'; readonly id: string }
  | { readonly kind: 'key_unreadable'; readonly name: string };
