// SPEC 18.1, 18.2: a document whose secrets are encrypted, without a window to ask for its password in.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openedStore, temporaryFolder } from '../support/store-parts.ts';
import { startHeadless } from './headless-process.ts';

async function exported(): Promise<string> {
  const store = await openedStore(temporaryFolder());
  await store.importDocument({ holdfast: 1, keys: [{ name: 'mine', key: 'hf-of-the-file-0001' }] });
  const file = join(temporaryFolder(), 'export.json');
  writeFileSync(file, (await store.documents.export('correct horse')).text);
  return file;
}

test('is taken over with the password of the environment', async () => {
  const gateway = startHeadless(['--data-dir', temporaryFolder(), '--port', '0', '--import', await exported()], { HOLDFAST_IMPORT_PASSWORD: 'correct horse' });
  const { url } = await gateway.listening;
  expect((await fetch(`${url}/v1/models`, { headers: { authorization: 'Bearer hf-of-the-file-0001' } })).status).toBe(200);
  expect(gateway.stderr()).not.toContain('correct horse');
});

test.each([['another password', { HOLDFAST_IMPORT_PASSWORD: 'wrong horse' }], ['none', {}]])('is refused with 2 and what is missing when there is %s', async (_name, environment) => {
  const gateway = startHeadless(['--data-dir', temporaryFolder(), '--port', '0', '--import', await exported()], environment);
  expect(await gateway.ended).toBe(2);
  expect(gateway.stderr()).toContain('secrets: are encrypted with another password than that in HOLDFAST_IMPORT_PASSWORD');
  expect(gateway.stderr()).not.toContain('wrong horse');
});
