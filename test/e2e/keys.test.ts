// Settings > Gateway > Security in the real app: what is done with a key there is what happens at the port (UI.md; SPEC 1.4, 2.3).
import { readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { en } from './support/words.ts';
import { ask, documentFor, startWorld, well } from './support/world.ts';

const open = async (section: 'security' | 'server') => {
  const world = await startWorld({ document: (url) => documentFor(url, 50) });
  world.upstream.otherwise(well);
  const page = await world.page();
  await page.getByRole('button', { name: en('page.settings'), exact: true }).click();
  await page.getByRole('button', { name: en(`settings.section.${section}`), exact: true }).click();
  return { world, page };
};

it('a key made in the window opens the port once it is copied; disabled, made anew and deleted it does not', async () => {
  const { world, page } = await open('security');
  await page.getByRole('button', { name: en('keys.add'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: en('keys.add_title') });
  await dialog.getByRole('textbox').fill('laptop');
  await dialog.getByRole('button', { name: en('keys.make') }).click();
  const row = page.getByRole('row').filter({ hasText: 'laptop' });
  await row.getByText(en('keys.never')).waitFor();
  const copied = async (): Promise<string> => {
    await row.getByRole('button', { name: en('keys.copy_of', { name: 'laptop' }) }).click();
    await row.getByRole('button', { name: en('copy.copied') }).waitFor();
    const text = await world.app.electron.evaluate(({ clipboard }) => clipboard.readText());
    await row.getByRole('button', { name: en('keys.copy_of', { name: 'laptop' }) }).waitFor();
    return text;
  };
  const key = await copied();
  expect(key).toMatch(/^hf-[A-Za-z0-9_-]{43}$/);
  expect(await page.content()).not.toContain(key.slice(3, 20));
  expect((await ask({ ...world, key })).status).toBe(200);

  const toggle = row.getByRole('switch', { name: en('keys.enabled_of', { name: 'laptop' }) });
  await toggle.click({ force: true });
  await row.getByText(en('keys.is_disabled'), { exact: true }).waitFor();
  await row.getByText(en('keys.just_now')).waitFor();
  expect((await ask({ ...world, key })).text).toContain('disabled');
  await toggle.click({ force: true });
  await row.getByText(en('keys.is_disabled'), { exact: true }).waitFor({ state: 'detached' });
  expect((await ask({ ...world, key })).status).toBe(200);

  await row.getByRole('button', { name: en('keys.rotate_of', { name: 'laptop' }) }).click();
  await page.getByRole('dialog').getByRole('button', { name: en('keys.rotate'), exact: true }).click();
  await page.getByText(en('keys.rotated', { name: 'laptop' })).waitFor();
  const renewed = await copied();
  expect(renewed).not.toBe(key);
  expect([(await ask({ ...world, key })).status, (await ask({ ...world, key: renewed })).status]).toEqual([401, 200]);

  await row.getByRole('button', { name: en('keys.delete_of', { name: 'laptop' }) }).click();
  await page.getByRole('dialog').getByRole('button', { name: en('dialog.delete') }).click();
  await row.waitFor({ state: 'detached' });
  expect((await ask({ ...world, key: renewed })).status).toBe(401);
  // The one that was there all the time still opens.
  expect((await ask(world)).status).toBe(200);
}, 120_000);

it.skipIf(process.platform !== 'linux')('no secret is on a command line or in the surroundings of any process of the app', async () => {
  const { world } = await open('security');
  expect((await ask(world)).status).toBe(200);
  const parents = new Map(readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      return [[Number(pid), Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1])] as const];
    } catch {
      return [];
    }
  }));
  const isOurs = (pid: number): boolean => pid === world.app.process.pid || (parents.has(pid) && pid > 1 && isOurs(parents.get(pid) ?? 0));
  const ours = [...parents.keys()].filter(isOurs);
  expect(ours.length).toBeGreaterThan(2);
  for (const pid of ours) {
    for (const file of ['cmdline', 'environ', 'comm']) {
      let text = '';
      try {
        text = readFileSync(`/proc/${pid}/${file}`, 'latin1');
      } catch { /* It has ended, or is not for our eyes. */ }
      expect(text.includes(world.key) || text.includes('sk-test-of-the-window')).toBe(false);
    }
  }
}, 120_000);

const ownAddress = Object.values(networkInterfaces()).flat().find((one) => one?.internal === false && one.family === 'IPv4')?.address;
it.skipIf(ownAddress === undefined)('the network reaches the port while the user wants it, with a key and a warning, and not after', async () => {
  const { world, page } = await open('server');
  const there = { ...world, url: world.url.replace('127.0.0.1', ownAddress ?? '') };
  await expect(ask(there)).rejects.toThrow();
  await page.getByText(en('server.bind_lan'), { exact: true }).click();
  await page.getByText(en('server.lan_note')).waitFor();
  await page.getByText(there.url, { exact: true }).waitFor();
  expect((await ask(there)).status).toBe(200);
  expect((await ask({ ...there, key: 'hf-nobody' })).status).toBe(401);
  expect((await ask(world)).status).toBe(200);
  await page.getByText(en('server.bind_loopback'), { exact: true }).click();
  await page.getByText(there.url, { exact: true }).waitFor({ state: 'detached' });
  await expect(ask(there)).rejects.toThrow();
  expect((await ask(world)).status).toBe(200);
}, 120_000);
