import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DocumentApplied, DocumentOpening, DocumentUnlocked } from '../../shared/data.ts';
import type { DocumentFault } from '../../shared/document.ts';
import { unsealSecrets } from '../store/document-secrets.ts';
import type { Documents } from '../store/documents.ts';
import { faultOf } from '../store/fault-words.ts';
import { parseDocumentText, type GivenDocument } from '../store/import-document.ts';

const MOST_MIB = 16;

export interface DocumentDeskParts {
  readonly documents: Pick<Documents, 'preview' | 'import' | 'backups'>;
  /** Asks for a file; null when the user changed their mind. */
  choose(): Promise<string | null>;
}

/** Where a document lies between being opened and being taken over; one at a time (SPEC 18.2). */
export interface DocumentDesk {
  open(): Promise<DocumentOpening>;
  openBackup(name: string): Promise<DocumentOpening>;
  unlock(token: string, password: string): Promise<DocumentUnlocked>;
  /** Rejects when the disk refuses; then nothing has changed. */
  apply(token: string): Promise<DocumentApplied>;
  forget(token: string): void;
}

interface OpenDocument { readonly token: string; readonly file: string; readonly given: GivenDocument; readonly sealed: string | null }

/** Makes the desk; nothing lies on it. */
export function createDocumentDesk({ documents, choose }: DocumentDeskParts): DocumentDesk {
  let open: OpenDocument | null = null;
  const held = (token: string): OpenDocument | null => (open?.token === token ? open : null);

  const lay = (token: string, file: string, given: GivenDocument): Exclude<DocumentOpening, { kind: 'cancelled' }> => {
    const looked = documents.preview(given);
    if (looked.kind === 'refused') {
      open = null;
      return { kind: 'refused', file, faults: looked.faults };
    }
    open = { token, file, given, sealed: looked.sealed };
    return { kind: looked.sealed !== null && given.secrets === null ? 'locked' : 'ready', token, file, preview: looked.preview };
  };

  const read = (file: string, text: string, mode: GivenDocument['mode']): DocumentOpening => {
    const parsed = parseDocumentText(text);
    return parsed.ok ? lay(randomUUID(), file, { input: parsed.input, secrets: null, mode }) : { kind: 'refused', file, faults: parsed.faults };
  };

  return {
    async open() {
      const path = await choose();
      if (path === null) return { kind: 'cancelled' };
      open = null;
      const text = await readText(path);
      return text.ok ? read(basename(path), text.text, 'merge') : { kind: 'refused', file: basename(path), faults: [text.fault] };
    },
    async openBackup(name) {
      open = null;
      const text = await documents.backups.read(name);
      return text === null ? { kind: 'refused', file: name, faults: [faultOf('', 'gone')] } : read(name, text, 'replace');
    },
    async unlock(token, password) {
      const document = held(token);
      if (document === null || document.sealed === null) return { kind: 'gone' };
      const { file, given, sealed } = document;
      const unsealed = await unsealSecrets(sealed, password);
      if (unsealed.kind === 'wrong_password') return { kind: 'wrong_password' };
      // Another one may have been opened meanwhile.
      if (held(token) === null) return { kind: 'gone' };
      if (unsealed.kind === 'unreadable') return { kind: 'refused', file, faults: [faultOf('secrets', 'secrets_unreadable')] };
      return lay(token, file, { ...given, secrets: unsealed.secrets });
    },
    async apply(token) {
      const document = held(token);
      if (document === null) return { kind: 'gone' };
      const outcome = await documents.import(document.given);
      if (held(token) !== null) open = null;
      if (outcome.kind === 'refused') return { kind: 'refused', file: document.file, faults: outcome.faults };
      return { kind: 'applied', preview: outcome.preview, backup: basename(outcome.backup), undo: outcome.undo };
    },
    forget(token) {
      if (held(token) !== null) open = null;
    },
  };
}

async function readText(path: string): Promise<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: DocumentFault }> {
  try {
    const { size } = await stat(path);
    if (size > MOST_MIB * 1024 * 1024) return { ok: false, fault: faultOf('', 'file_too_large', { mib: MOST_MIB }) };
    return { ok: true, text: await readFile(path, 'utf8') };
  } catch (error) {
    return { ok: false, fault: faultOf('', 'file_unreadable', { reason: error instanceof Error ? error.message : String(error) }) };
  }
}
