// The doors that Electron leaves open into an app, each tried on the package: shut there, and open again once its fuse alone is turned round, or the try would
// prove nothing. Integrity of the archive is checked by macOS and Windows only, so of that no more is claimed here than that it is switched on.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FuseState, getCurrentFuseWire } from '@electron/fuses';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../e2e/support/app.ts';
import { prepareGround, type Ground } from '../e2e/support/world.ts';
import { copyOf, FuseV1Options, packedApp, startPacked, type RunningPackage } from './support/packed.ts';

const packed = packedApp();

/** A script that leaves a file behind when somebody runs it. */
function trace(): { readonly folder: string; readonly script: string; ran(): boolean } {
  const folder = temporaryFolder();
  onTestFinished(() => { folder.remove(); });
  const script = join(folder.path, 'stranger.cjs');
  const mark = join(folder.path, 'ran');
  writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`);
  return { folder: folder.path, script, ran: () => existsSync(mark) };
}

/** Waits until the app serves: whatever would run before it has run by then. */
async function serves(app: RunningPackage, { url }: Ground): Promise<void> {
  await app.writes(/DevTools listening/);
  await expect.poll(() => fetch(`${url}/healthz`).then(({ status }) => status, () => 0), { timeout: 30_000 }).toBe(200);
}

it('the fuses of the packed app are set', async () => {
  const wire = await getCurrentFuseWire(packed().executable);
  const { DISABLE: off, ENABLE: on } = FuseState;
  expect({
    runAsNode: wire[FuseV1Options.RunAsNode],
    nodeOptions: wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable],
    inspect: wire[FuseV1Options.EnableNodeCliInspectArguments],
    cookieEncryption: wire[FuseV1Options.EnableCookieEncryption],
    onlyFromAsar: wire[FuseV1Options.OnlyLoadAppFromAsar],
    asarIntegrity: wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation],
    fileProtocolPrivileges: wire[FuseV1Options.GrantFileProtocolExtraPrivileges],
    ownSnapshot: wire[FuseV1Options.LoadBrowserProcessSpecificV8Snapshot],
  }).toEqual({ runAsNode: off, nodeOptions: off, inspect: off, cookieEncryption: on, onlyFromAsar: on, asarIntegrity: on, fileProtocolPrivileges: off, ownSnapshot: off });
}, 60_000);

it('ELECTRON_RUN_AS_NODE does not make it a Node that runs any script', async () => {
  const ground = await prepareGround();
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  const shut = trace();
  await serves(startPacked(packed().executable, ground.dataDir, { first: [shut.script], env }), ground);
  expect(shut.ran()).toBe(false);

  const open = trace();
  const opened = await copyOf(packed(), FuseV1Options.RunAsNode);
  expect(await startPacked(opened.executable, open.folder, { first: [open.script], env }).ended).toBe(0);
  expect(open.ran()).toBe(true);
}, 120_000);

it('NODE_OPTIONS is not read', async () => {
  // An app with the fuse set still refuses most options, and says so; that it says nothing shows that it never looked.
  const looked = /NODE_OPTIONs are not supported/;
  const ground = await prepareGround();
  const shut = trace();
  const app = startPacked(packed().executable, ground.dataDir, { env: { NODE_OPTIONS: `--require=${shut.script}` } });
  await serves(app, ground);
  expect(shut.ran()).toBe(false);
  expect(app.text()).not.toMatch(looked);

  const opened = await copyOf(packed(), FuseV1Options.EnableNodeOptionsEnvironmentVariable);
  const elsewhere = await prepareGround();
  await startPacked(opened.executable, elsewhere.dataDir, { env: { NODE_OPTIONS: `--require=${shut.script}` } }).writes(looked);
}, 120_000);

const listening = /Debugger listening on/;

it('--inspect lets no debugger in', async () => {
  const ground = await prepareGround();
  const app = startPacked(packed().executable, ground.dataDir, { args: ['--inspect=127.0.0.1:0'] });
  await serves(app, ground);
  expect(app.text()).not.toMatch(listening);

  const opened = await copyOf(packed(), FuseV1Options.EnableNodeCliInspectArguments);
  const elsewhere = await prepareGround();
  await startPacked(opened.executable, elsewhere.dataDir, { args: ['--inspect=127.0.0.1:0'] }).writes(listening);
}, 120_000);

it.skipIf(process.platform === 'win32')('SIGUSR1, at which Node opens itself to a debugger, does not', async () => {
  const ground = await prepareGround();
  const app = startPacked(packed().executable, ground.dataDir);
  await serves(app, ground);
  app.child.kill('SIGUSR1');
  // Nobody takes the signal, and then it ends a process; an Electron that ignored it would serve on.
  await expect.poll(() => app.child.signalCode ?? fetch(`${ground.url}/healthz`).then(() => 'serves', () => null), { timeout: 30_000 }).not.toBeNull();
  expect(app.text()).not.toMatch(listening);

  const opened = await copyOf(packed(), FuseV1Options.EnableNodeCliInspectArguments);
  const elsewhere = await prepareGround();
  const other = startPacked(opened.executable, elsewhere.dataDir);
  await serves(other, elsewhere);
  other.child.kill('SIGUSR1');
  await other.writes(listening);
}, 120_000);

it('a folder in the place of app.asar is not run', async () => {
  const plant = (resources: string): ReturnType<typeof trace> => {
    const stranger = trace();
    mkdirSync(join(resources, 'app'));
    writeFileSync(join(resources, 'app', 'package.json'), JSON.stringify({ name: 'stranger', main: 'main.cjs' }));
    writeFileSync(join(resources, 'app', 'main.cjs'), `require(${JSON.stringify(stranger.script)}); require('electron').app.quit();`);
    return stranger;
  };
  const ground = await prepareGround();
  const shut = await copyOf(packed());
  const beside = plant(shut.resources);
  await serves(startPacked(shut.executable, ground.dataDir), ground);
  expect(beside.ran()).toBe(false);

  renameSync(join(shut.resources, 'app.asar'), join(shut.resources, 'away.asar'));
  const elsewhere = await prepareGround();
  expect(await startPacked(shut.executable, elsewhere.dataDir).ended).not.toBe(0);
  expect(beside.ran()).toBe(false);

  const opened = await copyOf(packed(), FuseV1Options.OnlyLoadAppFromAsar);
  const instead = plant(opened.resources);
  rmSync(join(opened.resources, 'app.asar'));
  const last = await prepareGround();
  await startPacked(opened.executable, last.dataDir).ended;
  expect(instead.ran()).toBe(true);
}, 120_000);
