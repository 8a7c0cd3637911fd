// SPEC 2.3: where the OS has a keychain, secrets lie sealed on the disk; where it is gone, they are asked for again and nothing is overwritten.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startApp, type StartedApp, type StartOptions } from './support/app.ts';
import { en } from './support/words.ts';
import { ask, documentFor, startWorld, well, type World } from './support/world.ts';

const has = (program: string) => spawnSync('which', [program]).status === 0;
const hasSecretService = process.platform === 'linux' && has('dbus-run-session') && has('gnome-keyring-daemon');

/** Starts Electron on a bus of its own, with a real secret service whose keyring lies below `home`. */
function withSecretService(home: string): (executablePath: string) => string {
  return (executablePath) => {
    mkdirSync(home, { recursive: true });
    const script = join(home, 'electron.sh');
    writeFileSync(script, `#!/bin/bash
export HOME='${home}' XDG_DATA_HOME='${home}/share' XDG_CONFIG_HOME='${home}/config'
exec dbus-run-session -- bash -c 'echo -n password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$@"' -- '${executablePath}' "$@"
`);
    chmodSync(script, 0o755);
    return script;
  };
}

async function startHere(options: StartOptions): Promise<StartedApp> {
  const app = await startApp(options);
  onTestFinished(() => app.stop());
  return app;
}

const info = async (app: StartedApp) => (await app.page()).evaluate(() => (window as unknown as { holdfast: { request: { 'app.info': (argument: null) => Promise<{ secretBox: string }> } } }).holdfast.request['app.info'](null));
const quit = async (app: StartedApp): Promise<void> => {
  await app.electron.evaluate(({ app: electron }) => { electron.quit(); });
  await app.ended;
};
const importHere = async (app: StartedApp, file: string) => {
  await app.electron.evaluate(({ dialog }, path) => { dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] }); }, file);
  return (await app.page()).evaluate(async () => {
    const { request } = (window as unknown as { holdfast: { request: { 'document.open': (argument: null) => Promise<{ token: string }>; 'document.apply': (argument: { token: string }) => Promise<{ kind: string }> } } }).holdfast;
    const { token } = await request['document.open'](null);
    return request['document.apply']({ token });
  });
};

it.skipIf(!hasSecretService)('secrets are sealed by the keychain, come back at the next start, and are left alone without it', async () => {
  // A folder, a port and an upstream; this first app runs without a keychain and ends at once.
  const world: World = await startWorld();
  expect((await info(world.app)).secretBox).toBe('file');
  await quit(world.app);

  const start = { dataDir: world.dataDir, args: ['--password-store=gnome-libsecret'], through: withSecretService(join(world.dataDir, 'home')) };
  const sealing = await startHere(start);
  expect((await info(sealing)).secretBox).toBe('keychain');
  const file = join(world.dataDir, 'document.json');
  writeFileSync(file, JSON.stringify({ ...documentFor(world.upstream.url, 50), keys: [{ name: 'sealed', key: 'hf-a-key-that-is-sealed' }] }));
  expect(await importHere(sealing, file)).toMatchObject({ kind: 'applied' });
  world.upstream.otherwise(well);
  const asked = { ...world, key: 'hf-a-key-that-is-sealed' };
  expect(await ask(asked)).toMatchObject({ status: 200 });
  expect(world.upstream.calls.at(-1)?.header('x-api-key')).toBe('sk-test-of-the-window');
  const secrets = () => readFileSync(join(world.dataDir, 'secrets.json'), 'utf8');
  expect(secrets()).toContain('"sealed"');
  expect(secrets()).not.toContain('sk-test-of-the-window');
  expect(secrets()).not.toContain('hf-a-key-that-is-sealed');
  await quit(sealing);

  const again = await startHere(start);
  await again.page();
  expect(await ask(asked)).toMatchObject({ status: 200 });
  await quit(again);

  const before = secrets();
  const without = await startHere({ dataDir: world.dataDir });
  expect((await info(without)).secretBox).toBe('file');
  expect((await ask(asked)).status).toBe(401);
  // The key made before there was a keychain still opens; the upstream's credential is named as what is missing.
  const sealed = await ask(world);
  expect(sealed.text).toContain('sealed');
  expect(world.upstream.calls).toHaveLength(2);
  await quit(without);
  expect(secrets()).toBe(before);
}, 180_000);

it.skipIf(!hasSecretService)('what was saved in clear is told where there is a keychain, and sealed when the user says so', async () => {
  const world: World = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  await quit(world.app);
  const secrets = () => readFileSync(join(world.dataDir, 'secrets.json'), 'utf8');
  expect(secrets()).toContain('sk-test-of-the-window');
  const sealing = await startHere({ dataDir: world.dataDir, args: ['--password-store=gnome-libsecret'], through: withSecretService(join(world.dataDir, 'home')) });
  const page = await sealing.page();
  await page.getByRole('button', { name: en('page.settings'), exact: true }).click();
  await page.getByRole('button', { name: en('settings.section.security'), exact: true }).click();
  await page.getByText(en('security.in_clear', { count: 2 })).waitFor();
  await page.getByRole('button', { name: en('security.seal'), exact: true }).click();
  await page.getByText(en('security.in_keychain')).waitFor();
  expect(secrets()).not.toMatch(/plain|sk-test/);
  world.upstream.otherwise(well);
  expect(await ask(world)).toMatchObject({ status: 200 });
}, 120_000);
