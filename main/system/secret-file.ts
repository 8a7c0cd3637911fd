import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** Seals secrets for the disk; both throw when the operating system's keychain refuses. */
export interface Keychain {
  seal(value: string): Uint8Array;
  unseal(sealed: Uint8Array): string;
}

/** What `createSecretFile` gives; the store knows it as its `SecretBox`. */
export interface SecretFile {
  readonly kind: 'keychain' | 'file';
  put(id: string, value: string): void;
  get(id: string): { readonly kind: 'value'; readonly value: string } | { readonly kind: 'absent' } | { readonly kind: 'sealed' };
  delete(id: string): void;
  /** How many lie in clear although there is a keychain: saved when there was none, or by a process without a window. */
  inClear(): number;
  /** Seals those. Throws when the disk or the keychain refuses; nothing has changed then. */
  sealAll(): void;
}

const entrySchema = z.union([z.strictObject({ plain: z.string() }), z.strictObject({ sealed: z.base64() })]);
const fileSchema = z.object({ version: z.literal(1), secrets: z.record(z.string(), entrySchema) });
type Entries = z.infer<typeof fileSchema>['secrets'];

/**
 * Secrets in a JSON file with mode 0600 (SPEC 2.3): as they are, or sealed when a keychain is given. Both kinds of entry may stand in one
 * file, so the same data folder serves the app and a process without a keychain, which sees the sealed ones as `sealed` and leaves them alone.
 */
export function createSecretFile(path: string, keychain: Keychain | null = null): SecretFile {
  const found = readEntries(path);
  // Never written over: a file that nobody can read is moved out of the way by the first write.
  let unreadable = found === 'unreadable';
  let entries: Entries = found === 'unreadable' ? {} : found;

  const replace = (next: Entries): void => {
    if (unreadable) {
      renameSync(path, `${path}.unreadable-${new Date().toISOString().replaceAll(':', '-')}`);
      unreadable = false;
    }
    writeWhole(path, `${JSON.stringify({ version: 1, secrets: next }, null, 1)}\n`);
    entries = next;
  };

  const entryFor = (value: string): Entries[string] => (keychain === null ? { plain: value } : { sealed: Buffer.from(keychain.seal(value)).toString('base64') });
  const inClear = (): number => (keychain === null ? 0 : Object.values(entries).filter((entry) => 'plain' in entry).length);

  return {
    kind: keychain === null ? 'file' : 'keychain',
    inClear,
    sealAll: () => {
      if (inClear() > 0) replace(Object.fromEntries(Object.entries(entries).map(([id, entry]) => [id, 'plain' in entry ? entryFor(entry.plain) : entry])));
    },
    put: (id, value) => { replace({ ...entries, [id]: entryFor(value) }); },
    get: (id) => {
      if (unreadable) return { kind: 'sealed' };
      const entry = Object.hasOwn(entries, id) ? entries[id] : undefined;
      if (entry === undefined) return { kind: 'absent' };
      return 'plain' in entry ? { kind: 'value', value: entry.plain } : unseal(keychain, entry.sealed);
    },
    delete: (id) => {
      if (!Object.hasOwn(entries, id)) return;
      const { [id]: _gone, ...rest } = entries;
      replace(rest);
    },
  };
}

function unseal(keychain: Keychain | null, sealed: string): ReturnType<SecretFile['get']> {
  if (keychain === null) return { kind: 'sealed' };
  try {
    return { kind: 'value', value: keychain.unseal(Buffer.from(sealed, 'base64')) };
  } catch {
    return { kind: 'sealed' };
  }
}

function readEntries(path: string): Entries | 'unreadable' {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : 'unreadable';
  }
  try {
    return fileSchema.parse(JSON.parse(text)).secrets;
  } catch {
    return 'unreadable';
  }
}

// The old file stays whole until the new one is: a crash leaves one or the other.
function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(draft, 'w', 0o600);
    try {
      // Not `writeSync`: a disk that is nearly full takes a part of it and calls that done.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

function syncFolder(path: string): void {
  // Windows cannot open folders; there the rename is durable by itself.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
