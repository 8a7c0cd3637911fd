import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { GatewayKey, ListedKey } from '../../shared/key.ts';
import type { KeyCheck, Keys } from '../gateway/ports.ts';
import type { StoredKey } from './configuration-state.ts';
import { createKeyUses } from './key-uses.ts';
import type { Memory } from './memory.ts';
import type { SecretBox } from './secret-box.ts';
import { secretHint } from './secret-hint.ts';

/** Gateway keys (SPEC 1.4): the check of the gateway, and what a user does with them. Ids that are not there change nothing. */
export interface GatewayKeys extends Keys {
  list(): readonly ListedKey[];
  /** The key itself, for the clipboard; null when there is none or it cannot be read. */
  valueOf(id: string): string | null;
  add(name: string): Promise<GatewayKey>;
  rename(id: string, name: string): Promise<void>;
  setDisabled(id: string, disabled: boolean): Promise<void>;
  /** Gives the key a new value; the old one is unknown from then on. */
  rotate(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Writes down when keys were last used, where that has changed; resolves when it is on disk or the disk does not take it. */
  flush(): Promise<void>;
}

interface Entry {
  readonly stored: StoredKey;
  /** Null when the secret cannot be read: then nothing matches. */
  readonly mark: Buffer | null;
  readonly revoke: AbortController;
}

/** A key in the form of SPEC 1.4. */
export function makeKeyValue(): string {
  return `hf-${randomBytes(32).toString('base64url')}`;
}

/** A record for a key value, with a place of its own for the secret. */
export function storedKey(name: string, value: string, createdAt: number): StoredKey {
  const id = randomUUID();
  return { key: { id, name, hint: secretHint(value), disabled: false, createdAt }, secretId: secretIdOf(id) };
}

function secretIdOf(keyId: string): string {
  return `key:${keyId}:${randomUUID()}`;
}

export function createKeys(memory: Memory, secretBox: SecretBox, utc: () => number): GatewayKeys {
  let entries: readonly Entry[] = [];
  const uses = createKeyUses(memory, utc);

  const follow = (): void => {
    const before = entries;
    entries = memory.state().keys.map((stored) => {
      const known = before.find((entry) => entry.stored.secretId === stored.secretId && entry.stored.key.disabled === stored.key.disabled);
      return known === undefined ? makeEntry(stored) : { ...known, stored };
    });
    const kept = new Set(entries.map((entry) => entry.revoke));
    for (const entry of before) if (!kept.has(entry.revoke)) entry.revoke.abort();
  };

  const makeEntry = (stored: StoredKey): Entry => {
    const secret = secretBox.get(stored.secretId);
    const revoke = new AbortController();
    // Every exchange of the key listens to it.
    setMaxListeners(0, revoke.signal);
    return { stored, mark: secret.kind === 'value' ? markOf(secret.value, Buffer.alloc(MARK_BYTES)) : null, revoke };
  };

  const edit = (id: string, change: (stored: StoredKey) => StoredKey | null, secrets?: { put: { id: string; value: string }[] }): Promise<void> =>
    memory.change(({ keys }) => {
      const stored = keys.find((entry) => entry.key.id === id);
      if (stored === undefined) return { change: null, answer: undefined };
      const next = change(stored);
      return {
        change: { keys: keys.flatMap((entry) => (entry !== stored ? [entry] : next === null ? [] : [next])) },
        secrets: { put: secrets?.put ?? [], drop: next?.secretId === stored.secretId ? [] : [stored.secretId] },
        answer: undefined,
      };
    });

  follow();
  memory.onChange((parts) => { if (parts.has('keys')) follow(); });

  return {
    check: (key) => {
      const check = checkKey(entries, key);
      if (check.kind === 'valid') uses.note(check.id);
      return check;
    },
    list: () => entries.map(({ stored: { key } }) => ({ ...key, lastUsedAt: uses.lastOf(key.id) })),
    valueOf: (id) => {
      const entry = entries.find(({ stored }) => stored.key.id === id);
      const secret = entry === undefined ? null : secretBox.get(entry.stored.secretId);
      return secret?.kind === 'value' ? secret.value : null;
    },
    add: (name) => memory.change(({ keys }) => {
      const value = makeKeyValue();
      const stored = storedKey(name, value, utc());
      return { change: { keys: [...keys, stored] }, secrets: { put: [{ id: stored.secretId, value }], drop: [] }, answer: stored.key };
    }),
    rename: (id, name) => edit(id, (stored) => ({ ...stored, key: { ...stored.key, name } })),
    setDisabled: (id, disabled) => edit(id, (stored) => ({ ...stored, key: { ...stored.key, disabled } })),
    rotate: (id) => {
      const value = makeKeyValue();
      const secretId = secretIdOf(id);
      return edit(id, (stored) => ({ key: { ...stored.key, hint: secretHint(value) }, secretId }), { put: [{ id: secretId, value }] });
    },
    remove: (id) => edit(id, () => null),
    flush: () => uses.flush(),
  };
}

// What is compared of a key: all marks have one length, whatever the key's. A key that fits stands in it as it is, which costs a tenth of a hash.
const MARK_BYTES = 256;
const presentedMark = Buffer.alloc(MARK_BYTES);

// Always all of them: the time says neither how much of a key is right nor which key it is.
function checkKey(entries: readonly Entry[], key: string): KeyCheck {
  markOf(key, presentedMark);
  let valid: Entry | null = null;
  let disabled = false;
  for (const entry of entries) {
    if (entry.mark === null || !timingSafeEqual(entry.mark, presentedMark)) continue;
    if (entry.stored.key.disabled) disabled = true;
    else valid = entry;
  }
  presentedMark.fill(0);
  if (valid !== null) return { kind: 'valid', id: valid.stored.key.id, name: valid.stored.key.name, revoked: valid.revoke.signal };
  return { kind: disabled ? 'disabled' : 'unknown' };
}

/** Writes the mark of a text into `into`, which is all zeros: the text and its length, or where that does not fit its hash and 255. */
function markOf(text: string, into: Buffer): Buffer {
  const bytes = text.length < MARK_BYTES ? Buffer.byteLength(text) : MARK_BYTES;
  if (bytes < MARK_BYTES - 1) {
    into.write(text);
    into[MARK_BYTES - 1] = bytes;
  } else {
    into.write(hash('sha256', text));
    into[MARK_BYTES - 1] = 255;
  }
  return into;
}
