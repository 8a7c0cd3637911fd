// What only an installed app can do: update itself from the feed of its build, and start at login (UI.md "Desktop manners").
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../e2e/support/app.ts';
import { en } from '../e2e/support/words.ts';
import { prepareGround } from '../e2e/support/world.ts';
import { copyOf, packedApp, startPacked } from './support/packed.ts';

const packed = packedApp();
const APP_IMAGE = Buffer.from('#!/bin/sh\nexit 0\n');

/** A feed on this machine that has one version newer than any; what it promises of its file is true when `honest`. */
async function startFeed(): Promise<{ readonly url: string; readonly asked: string[]; honest: boolean }> {
  const asked: string[] = [];
  const feed = { url: '', asked, honest: false };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://feed').pathname;
    asked.push(path);
    const sha512 = createHash('sha512').update(feed.honest ? APP_IMAGE : 'something else').digest('base64');
    const yaml = `version: 99.0.0\nfiles:\n  - url: Holdfast.AppImage\n    sha512: ${sha512}\n    size: ${APP_IMAGE.length}\npath: Holdfast.AppImage\nsha512: ${sha512}\nreleaseDate: '2026-11-29T10:00:00.000Z'\nreleaseNotes: "Shorter <b>pauses</b>"\n`;
    const body = path.endsWith('.yml') ? yaml : path === '/Holdfast.AppImage' ? APP_IMAGE : null;
    response.writeHead(body === null ? 404 : 200).end(body ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => { server.closeAllConnections(); server.close(); });
  feed.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return feed;
}

it.runIf(process.platform === 'linux')('looks into its feed when asked, refuses what is not what the feed promised, and downloads what is', async () => {
  const feed = await startFeed();
  const { executable, resources } = await copyOf(packed());
  writeFileSync(join(resources, 'app-update.yml'), `provider: generic\nurl: ${feed.url}\nupdaterCacheDirName: holdfast-updater\n`);
  const folder = temporaryFolder();
  onTestFinished(() => { folder.remove(); });
  const image = join(folder.path, 'Holdfast.AppImage');
  writeFileSync(image, 'the old one');
  const ground = await prepareGround();
  const app = startPacked(executable, ground.dataDir, { env: { APPIMAGE: image, XDG_CACHE_HOME: folder.path } });
  const page = await app.page();
  await page.getByRole('button', { name: en('page.settings'), exact: true }).click();
  await page.getByRole('button', { name: en('settings.section.about'), exact: true }).click();
  await page.getByText(en('updates.never')).waitFor();
  // Nothing is looked for in the first minutes.
  expect(feed.asked).toEqual([]);
  await page.getByRole('button', { name: en('updates.check') }).click();
  await page.getByText(en('updates.available', { version: '99.0.0' })).waitFor();
  await page.getByText('Shorter pauses', { exact: true }).waitFor();
  expect(feed.asked).toEqual(['/latest-linux.yml']);

  await page.getByRole('button', { name: en('updates.download') }).click();
  await page.getByText(en('updates.fault.bad_checksum')).waitFor();
  feed.honest = true;
  await page.getByRole('button', { name: en('updates.check') }).click();
  await page.getByText(en('updates.available', { version: '99.0.0' })).waitFor();
  await page.getByRole('button', { name: en('updates.download') }).click();
  await page.getByText(en('updates.ready', { version: '99.0.0' })).waitFor();
  expect(readFileSync(image, 'utf8')).toBe('the old one');

  await page.getByRole('button', { name: en('updates.install') }).click();
  expect(await app.ended).toBe(0);
  expect(existsSync(image) && readFileSync(image).equals(APP_IMAGE)).toBe(true);
}, 120_000);

it.runIf(process.platform === 'linux')('starts at login by a file in the autostart folder, which goes when the user does not want it any more', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => { folder.remove(); });
  const ground = await prepareGround();
  const app = startPacked(packed().executable, ground.dataDir, { env: { XDG_CONFIG_HOME: folder.path } });
  const page = await app.page();
  await page.getByRole('button', { name: en('page.settings'), exact: true }).click();
  const entry = join(folder.path, 'autostart', 'holdfast.desktop');
  const flip = (name: string) => page.getByRole('switch', { name }).press('Space');
  await flip(en('general.start_at_login'));
  await expect.poll(() => existsSync(entry) && readFileSync(entry, 'utf8'), { timeout: 10_000 }).toContain(`Exec="${packed().executable}"\n`);
  await flip(en('general.start_hidden'));
  await expect.poll(() => readFileSync(entry, 'utf8'), { timeout: 10_000 }).toContain(`Exec="${packed().executable}" --hidden\n`);
  await flip(en('general.start_at_login'));
  await expect.poll(() => existsSync(entry), { timeout: 10_000 }).toBe(false);
}, 120_000);
