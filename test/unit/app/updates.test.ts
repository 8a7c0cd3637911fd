// SPEC 17, UI.md "Desktop manners": the real electron-updater against a real feed on loopback.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { HttpExecutor } from 'builder-util-runtime';
import { AppImageUpdater } from 'electron-updater';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { engineOf, faultOf, updateOf } from '../../../main/app/update-engine.ts';
import { createUpdates, type UpdatesParts } from '../../../main/app/updates.ts';
import type { MemoryFacts } from '../../../main/app/memory.ts';
import type { Update, UpdateState } from '../../../shared/updates.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** As the one for Electron, over Node's http. */
class PlainHttp extends HttpExecutor<ReturnType<typeof httpRequest>> {
  createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void) {
    return httpRequest(options, callback);
  }
  async download(url: URL, destination: string, options: { cancellationToken: { createPromise<T>(run: (resolve: (value: T) => void, reject: (error: Error) => void, onCancel: (act: () => void) => void) => void): Promise<T> } }): Promise<string> {
    return options.cancellationToken.createPromise<string>((resolve, reject, onCancel) => {
      const callback = (error: Error | null): void => { if (error instanceof Error) reject(error); else resolve(destination); };
      this.doDownload({ protocol: url.protocol, hostname: url.hostname, port: url.port, path: url.pathname, headers: {} }, { destination, options: options as never, onCancel, callback, responseHandler: null }, 0);
    });
  }
}

const APP_IMAGE = Buffer.from('the bytes of a new app');
let folder: string;
let feed: { url: string; asked: string[]; ids: unknown[]; answer: (path: string) => { status: number; body: string | Buffer }; close(): Promise<void> };

function metadata(version: string, of: Buffer = APP_IMAGE): string {
  const sha512 = createHash('sha512').update(of).digest('base64');
  return `version: ${version}\nfiles:\n  - url: Holdfast-${version}.AppImage\n    sha512: ${sha512}\n    size: ${APP_IMAGE.length}\npath: Holdfast-${version}.AppImage\nsha512: ${sha512}\nreleaseDate: '2026-11-29T10:00:00.000Z'\nreleaseNotes: "Shorter <b>pauses</b> & more"\n`;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-updates-'));
  vi.stubEnv('APPIMAGE', join(folder, 'Holdfast.AppImage'));
  writeFileSync(join(folder, 'Holdfast.AppImage'), 'the bytes of the old app');
  const asked: string[] = [];
  const ids: unknown[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://feed').pathname;
    asked.push(path);
    ids.push(request.headers['x-user-staging-id']);
    const { status, body } = feed.answer(path);
    response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  feed = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked, ids,
    answer: () => ({ status: 404, body: '' }),
    close: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => { server.close(resolve); });
    },
  };
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await feed.close();
  rmSync(folder, { recursive: true, force: true });
});

function realEngine() {
  writeFileSync(join(folder, 'app-update.yml'), `provider: generic\nurl: ${feed.url}\nupdaterCacheDirName: holdfast-updater\n`);
  const updater = new AppImageUpdater(null, {
    version: '0.1.0', name: 'Holdfast', isPackaged: true, appUpdateConfigPath: join(folder, 'app-update.yml'), userDataPath: folder, baseCachePath: join(folder, 'cache'),
    whenReady: async () => undefined, quit: () => undefined, relaunch: () => undefined, onQuit: () => undefined,
  });
  updater.logger = null;
  // The differential download asks for ranges of a block map, which this feed does not have.
  Object.assign(updater, { httpExecutor: new PlainHttp(), disableDifferentialDownload: true });
  return engineOf(updater);
}

function rig(part: Partial<UpdatesParts> = {}) {
  const clock = createFakeClock();
  const states: UpdateState[] = [];
  const found: Update[] = [];
  const log: string[] = [];
  let quits = 0;
  let facts = { updatesCheckedAt: null, updateTold: null } as unknown as MemoryFacts;
  const waiters = new Set<() => void>();
  const updates = createUpdates({
    engine: realEngine(), clock,
    log: { info: () => undefined, warn: (message) => { log.push(message); }, error: () => undefined },
    memory: { facts: () => facts, change: (change) => { facts = { ...facts, ...change }; } },
    enabled: () => true,
    changed: (state) => {
      states.push(state);
      for (const wake of [...waiters]) wake();
    },
    found: (update) => { found.push(update); },
    quit: () => { quits++; },
    ...part,
  });
  const reaches = (status: UpdateState['status']): Promise<UpdateState> => new Promise((resolve) => {
    const look = (): void => {
      if (updates.state().status !== status) return;
      waiters.delete(look);
      resolve(updates.state());
    };
    waiters.add(look);
    look();
  });
  return { clock, updates, states, found, log, reaches, quits: () => quits, facts: () => facts };
}

const NEWER: Update = { version: '0.2.0', notes: 'Shorter pauses & more', releasedAt: Date.UTC(2026, 10, 29, 10) };
const serve = (yaml: string) => (path: string) => (path === '/latest-linux.yml' ? { status: 200, body: yaml } : path.endsWith('.AppImage') ? { status: 200, body: APP_IMAGE } : { status: 404, body: '' });

describe('looking for updates', () => {
  it('finds a newer version, tells it with its notes as text, and downloads nothing', async () => {
    feed.answer = serve(metadata('0.2.0'));
    const { updates } = rig();
    expect(await updates.check()).toMatchObject({ status: 'available', update: NEWER });
    expect(feed.asked).toEqual(['/latest-linux.yml']);
    // Nothing in the question tells one installation from another.
    expect(feed.ids).toEqual(['00000000-0000-0000-0000-000000000000']);
  });

  it.each(['0.1.0', '0.0.9'])('finds nothing in a feed that holds %s', async (version) => {
    feed.answer = serve(metadata(version));
    const { updates, clock } = rig();
    expect(await updates.check()).toEqual({ status: 'none', checkedAt: clock.utc() });
  });

  it('tells the user who asked that the server is down', async () => {
    await feed.close();
    expect(await rig().updates.check()).toEqual({ status: 'failed', fault: 'unreachable', update: null, checkedAt: null });
  });

  it('is quiet about a failure that nobody asked for, and tries again hours later', async () => {
    const engine = { ...realEngine(), check: async () => { throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }); } };
    const { updates, clock, log, states, facts } = rig({ engine });
    updates.follow();
    await clock.advance(10 * 60_000);
    await vi.waitFor(() => { expect(clock.waits()).toEqual([3_600_000]); });
    expect(log).toEqual(['updates could not be looked for']);
    expect(states.map(({ status }) => status)).toEqual(['checking', 'none']);
    expect(facts().updatesCheckedAt).toBeNull();
    for (let hour = 0; hour < 4; hour++) await clock.advance(3_600_000);
    await vi.waitFor(() => { expect(log).toHaveLength(2); });
    updates.stop();
  });

  it.each([[404, ''], [200, 'version: [']])('tells of a feed that answers %i %j', async (status, body) => {
    feed.answer = () => ({ status, body });
    expect(await rig().updates.check()).toMatchObject({ status: 'failed', fault: 'bad_answer' });
  });

  it('looks by itself once a day, not in the first minutes, and tells of a version once', async () => {
    feed.answer = serve(metadata('0.2.0'));
    const { updates, clock, found, reaches, states } = rig();
    updates.follow();
    await clock.advance(10 * 60_000 - 1);
    expect(feed.asked).toEqual([]);
    await clock.advance(1);
    await reaches('available');
    expect(found).toEqual([NEWER]);
    await vi.waitFor(() => { expect(clock.pending()).toBe(1); });
    const before = states.length;
    for (let hour = 1; hour < 24; hour++) await clock.advance(3_600_000);
    expect(feed.asked).toHaveLength(1);
    await clock.advance(3_600_000);
    await vi.waitFor(() => { expect(states.slice(before).map(({ status }) => status)).toEqual(['checking', 'available']); });
    expect(feed.asked).toHaveLength(2);
    expect(found).toHaveLength(1);
    updates.stop();
  });

  it('does not look by itself when the user does not want it', async () => {
    const { updates, clock } = rig({ enabled: () => false });
    updates.follow();
    expect(clock.pending()).toBe(0);
  });

  it('of a copy that cannot update itself does nothing', async () => {
    const { updates, clock } = rig({ engine: 'no_feed' });
    updates.follow();
    expect([await updates.check(), await updates.download(), await updates.install()]).toEqual(Array(3).fill({ status: 'unavailable', reason: 'no_feed' }));
    expect([clock.pending(), updates.finish(() => undefined)]).toEqual([0, false]);
  });
});

describe('downloading and installing', () => {
  it('happens on the user\'s word, and waits for the app to have quit', async () => {
    feed.answer = serve(metadata('0.2.0'));
    const installed: string[] = [];
    const engine = realEngine();
    const { updates, reaches, quits } = rig({ engine: { ...engine, install: () => { installed.push('now'); } } });
    expect((await updates.install()).status).toBe('none');
    await updates.check();
    expect((await updates.download()).status).toBe('downloading');
    await reaches('ready');
    expect(readdirSync(join(folder, 'cache', 'holdfast-updater', 'pending'))).toContain('Holdfast-0.2.0.AppImage');
    expect([quits(), updates.finish(() => undefined)]).toEqual([0, false]);
    await updates.install();
    expect([quits(), installed]).toEqual([1, []]);
    expect(updates.finish(() => undefined)).toBe(true);
    expect(installed).toEqual(['now']);
  });

  it('refuses a file whose checksum is not the one of the feed, and can be tried again', async () => {
    feed.answer = serve(metadata('0.2.0', Buffer.from('something else')));
    const { updates, reaches } = rig();
    await updates.check();
    await updates.download();
    expect(await reaches('failed')).toMatchObject({ fault: 'bad_checksum', update: { version: '0.2.0' } });
    expect((await updates.install()).status).toBe('failed');
    feed.answer = serve(metadata('0.2.0'));
    await updates.check();
    await updates.download();
    await reaches('ready');
  });
});

describe('what comes from the feed', () => {
  it('is cut and freed of markup', () => {
    const releaseNotes = `<script>x()</script>\u0007<p onclick="x">Fine</p> 1 < 2 ${'y'.repeat(30_000)}`;
    const update = updateOf({ version: '1.0.0', releaseDate: 'soon', releaseNotes });
    expect(update.notes?.slice(0, 16)).toBe('x()Fine 1 < 2 yy');
    expect(update.notes).toHaveLength(20_000);
    expect(update.releasedAt).toBeNull();
    expect(updateOf({ version: '1.0.0', releaseDate: '', releaseNotes: [{ version: '1.0.0', note: 'a' }, { version: '0.9.0', note: null }] }).notes).toBe('1.0.0\na\n\n0.9.0');
  });

  it.each([
    [Object.assign(new Error('x'), { code: 'ERR_CHECKSUM_MISMATCH' }), 'bad_checksum'],
    [new Error('net::ERR_INTERNET_DISCONNECTED'), 'unreachable'],
    [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'unreachable'],
    [Object.assign(new Error('x'), { code: 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND' }), 'bad_answer'],
    [Object.assign(new Error('x'), { statusCode: 500 }), 'bad_answer'],
    [new Error('disk full'), 'other'], ['text', 'other'],
  ])('fails as %s: %s', (error, fault) => { expect(faultOf(error)).toBe(fault); });
});
