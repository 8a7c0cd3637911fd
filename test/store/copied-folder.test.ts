// SPEC 2.3: where there is a keychain, a data folder that somebody copies gives no secret away.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSecretFile, type Keychain } from '../../main/system/secret-file.ts';
import { openedStore, temporaryFolder } from '../support/store-parts.ts';

/** A keychain with a key of its own, as each machine has one. */
function machineKeychain(): Keychain {
  const key = randomBytes(32);
  return {
    seal: (value) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      return Buffer.concat([iv, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    unseal: (sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.slice(0, 12));
      decipher.setAuthTag(sealed.slice(-16));
      return Buffer.concat([decipher.update(sealed.slice(12, -16)), decipher.final()]).toString('utf8');
    },
  };
}

const boxAt = (folder: string, keychain: Keychain | null) => createSecretFile(join(folder, 'secrets.json'), keychain);
const filesIn = (folder: string): string[] => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));

test('a data folder copied to another machine holds no secret, and opens nothing there', async () => {
  const [home, away] = [temporaryFolder(), temporaryFolder()];
  const ours = machineKeychain();
  const store = await openedStore(home, { secretBox: boxAt(home, ours) });
  await store.importDocument({
    holdfast: 1, keys: [{ name: 'given', key: 'hf-CANARY-gateway-key' }],
    upstreams: [{ id: 'a', name: 'A', preset: 'generic', base_url: 'http://127.0.0.1:9', formats: ['anthropic'], credential: { kind: 'stored', value: 'sk-CANARY-credential' }, headers: { 'x-api-token': 'CANARY-header' }, proxy: 'http://user:CANARY-proxy@proxy.test:3128', models: [], max_in_flight: 0, enabled: true }],
  });
  const made = await store.keys.add('made');
  const value = store.keys.valueOf(made.id)!;
  await store.keys.rotate(made.id);
  const rotated = store.keys.valueOf(made.id)!;
  expect(store.keys.check(rotated).kind).toBe('valid');
  await store.flush();

  // While it runs (write-ahead file included), and after it has ended.
  const secrets = ['hf-CANARY', 'sk-CANARY', 'CANARY-header', 'CANARY-proxy', value, rotated];
  const expectNone = (folder: string): void => {
    for (const file of filesIn(folder)) {
      const bytes = readFileSync(file);
      for (const secret of secrets) for (const form of [secret, Buffer.from(secret).toString('base64').replace(/=+$/, ''), Buffer.from(secret).toString('hex')]) expect(bytes.includes(form), `${file} ${secret.slice(0, 6)}`).toBe(false);
    }
  };
  expectNone(home);
  await store.close();
  expectNone(home);
  expect(filesIn(home).length).toBeGreaterThan(1);

  cpSync(home, away, { recursive: true });
  for (const keychain of [machineKeychain(), null]) {
    const copy = await openedStore(away, { secretBox: boxAt(away, keychain) });
    for (const key of ['hf-CANARY-gateway-key', rotated]) expect(copy.keys.check(key)).toEqual({ kind: 'unknown' });
    expect(copy.keys.list().map(({ id }) => copy.keys.valueOf(id))).toEqual([null, null, null]);
    const [upstream] = copy.config.upstreams();
    expect(copy.credentials.of(upstream!)).toEqual({ kind: 'unusable', code: 'credential.sealed' });
    expect(JSON.stringify(copy.config.upstreams())).not.toContain('CANARY');
    await copy.close();
  }
  // Nothing was overwritten: back home everything is as it was.
  const back = await openedStore(away, { secretBox: boxAt(away, ours) });
  expect([back.keys.check('hf-CANARY-gateway-key').kind, back.keys.check(rotated).kind]).toEqual(['valid', 'valid']);
  expect(back.credentials.of(back.config.upstreams()[0]!)).toEqual({ kind: 'secret', value: 'sk-CANARY-credential' });
});
