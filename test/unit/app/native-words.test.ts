import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { refusalText, runningLines } from '../../../main/app/dialog-texts.ts';
import { createTexts } from '../../../main/app/i18n.ts';
import { jumpTasks } from '../../../main/app/jump-list.ts';
import { linkAmong, readLink } from '../../../main/app/links.ts';
import { appMenu } from '../../../main/app/menu.ts';
import { createRecentFailures } from '../../../main/app/recent-failures.ts';
import { inFlightLine, stateLine, trayMenu, trayState, type TrayFacts } from '../../../main/app/tray-menu.ts';
import type { InFlight } from '../../../shared/events.ts';
import { languageFor } from '../../../shared/language.ts';
import { rowWith } from '../../support/rows.ts';

const runningAt = { status: 'running', url: 'http://127.0.0.1:4653', port: 4653, problem: null } as const;
const taken = { kind: 'port_in_use', port: 4653, owner: 'nginx', freePort: 4654 } as const;
const facts = (more: Partial<TrayFacts> = {}): TrayFacts => ({ gateway: runningAt, inFlight: [], failures: [], notices: 0, ...more });
const going = (...states: InFlight['state'][]): InFlight[] => states.map((state, n) => ({ row: rowWith({ id: `x${n}`, started_at: 100 - n, client: 'Codex', model_asked: `m${n}` }), state, upstream: 'A', retries: 0, pause: null }));
const nothing = { open: () => undefined, showInFlight: () => undefined, showRequest: () => undefined, setAccepting: () => undefined, copyAddress: () => undefined, copyKey: () => undefined, quit: () => undefined };

describe('the language', () => {
  it.each([['system', 'zh-CN', 'zh'], ['system', 'zh-Hant-TW', 'zh'], ['system', 'en-GB', 'en'], ['system', 'fr', 'en'], ['system', 'zhx', 'en'], ['zh', 'en', 'zh'], ['en', 'zh-CN', 'en']] as const)('%s on a system in %s is %s', (setting, tag, language) => {
    expect(languageFor(setting, tag)).toBe(language);
  });

  it('switches for every text that is asked for afterwards', () => {
    const texts = createTexts('en');
    expect(texts.t('native.tray.quit')).toBe('Quit Holdfast');
    texts.use('zh');
    expect(texts.t('native.tray.quit')).toBe('退出 Holdfast');
  });
});

describe('the tray', () => {
  const { t } = createTexts('en');

  it('shows the worst of what is true', () => {
    const closed = { ...runningAt, closed: true } as const;
    expect(trayState(facts())).toBe('running');
    expect(trayState(facts({ inFlight: going('answering', 'pausing') }))).toBe('paused');
    expect(trayState(facts({ gateway: closed, inFlight: going('pausing') }))).toBe('closed');
    expect(trayState(facts({ gateway: closed, notices: 1 }))).toBe('problem');
    expect(trayState(facts({ gateway: { status: 'failed', problem: taken }, inFlight: going('pausing') }))).toBe('problem');
    expect(trayState(facts({ gateway: { ...runningAt, problem: taken } }))).toBe('problem');
  });

  it('has a picture of a shape of its own for each state, for every system', () => {
    const pictures = ['running', 'paused', 'closed', 'problem'].flatMap((state) => ['', '@2x', 'Template', 'Template@2x'].map((kind) => readFileSync(`assets/generated/tray/${state}${kind}.png`).toString('base64')));
    expect(new Set(pictures).size).toBe(16);
  });

  it('counts what runs and what waits', () => {
    expect(inFlightLine(facts({ inFlight: going('attempting') }), t)).toBe('1 request in flight');
    expect(inFlightLine(facts({ inFlight: going('pausing', 'pausing', 'queued') }), t)).toBe('3 requests in flight, 2 waiting to retry');
  });

  const itemOf = (menu: ReturnType<typeof trayMenu>, label: RegExp) => menu.find((item) => label.test(item.label ?? ''));
  const under = (item: ReturnType<typeof itemOf>) => (Array.isArray(item?.submenu) ? item.submenu : []);
  const press = (item: ReturnType<typeof itemOf>) => { (item?.click as (() => void) | undefined)?.(); };

  it('offers the address and the switch for new requests only while there is an endpoint', () => {
    for (const [gateway, enabled] of [[runningAt, true], [{ status: 'failed', problem: taken }, false]] as const) {
      const menu = trayMenu(facts({ gateway }), nothing, t);
      expect([itemOf(menu, /^Copy address/)?.enabled, itemOf(menu, /^Pause accepting/)?.enabled]).toEqual([enabled, enabled]);
    }
    expect(itemOf(trayMenu(facts(), nothing, t), /^Copy address/)?.label).toBe('Copy address http://127.0.0.1:4653');
  });

  it('stops accepting and resumes by the same item, which is ticked meanwhile', () => {
    const told: boolean[] = [];
    const actions = { ...nothing, setAccepting: (accepting: boolean) => { told.push(accepting); } };
    for (const gateway of [runningAt, { ...runningAt, closed: true } as const]) {
      const item = itemOf(trayMenu(facts({ gateway }), actions, t), /^Pause accepting/);
      expect(item).toMatchObject({ type: 'checkbox', checked: 'closed' in gateway });
      press(item);
    }
    expect(told).toEqual([false, true]);
    expect(stateLine({ ...runningAt, closed: true }, t)).toBe('Running at http://127.0.0.1:4653, but no new requests are let in');
  });

  it('names the five oldest running requests, counts the rest, and leads to each', () => {
    const shown: string[] = [];
    const actions = { ...nothing, showRequest: (id: string) => { shown.push(id); }, showInFlight: () => { shown.push('all'); } };
    const items = under(itemOf(trayMenu(facts({ inFlight: going('attempting', 'pausing', 'queued', 'answering', 'answering', 'answering', 'pausing') }), actions, t), /in flight/));
    expect(items.map(({ label }) => label)).toEqual(['Codex: m6, waiting to retry', 'Codex: m5, answering', 'Codex: m4, answering', 'Codex: m3, answering', 'Codex: m2, in a queue', '2 more']);
    items.forEach(press);
    expect(shown).toEqual(['x6', 'x5', 'x4', 'x3', 'x2', 'all']);
  });

  it('names the last five failures, the newest first, and leads to each; a cancelled request is none', () => {
    const failures = createRecentFailures();
    const end = (n: number, outcome: 'failed' | 'truncated' | 'cancelled' | 'success') => { failures.note({ kind: 'finished', id: `f${n}`, row: rowWith({ id: `f${n}`, outcome, client: null, model_asked: 'R&D', error_code: n === 6 ? null : 'overloaded_error', status: 529 }) }); };
    for (const n of [1, 2, 3, 4, 5]) end(n, 'failed');
    end(6, 'truncated');
    end(7, 'cancelled');
    end(8, 'success');
    const shown: string[] = [];
    const items = under(itemOf(trayMenu(facts({ failures: failures.list() }), { ...nothing, showRequest: (id) => { shown.push(id); } }, t), /^Recent failures/));
    items.forEach(press);
    expect(shown).toEqual(['f6', 'f5', 'f4', 'f3', 'f2']);
    // An ampersand alone would underline the letter after it.
    expect(items.map(({ label }) => label).slice(0, 2)).toEqual(['unknown: R&&D, 529', 'unknown: R&&D, overloaded_error']);
    expect(itemOf(trayMenu(facts(), nothing, t), /^No recent failures/)?.enabled).toBe(false);
  });

  it('has a word for everything in Chinese', () => {
    const { t: zh } = createTexts('zh');
    const labels = (items: ReturnType<typeof trayMenu>): string[] => items.flatMap((item) => [item.label ?? '', ...(Array.isArray(item.submenu) ? labels(item.submenu) : [])]);
    const all = labels(trayMenu(facts({ inFlight: going('attempting', 'pausing', 'queued', 'answering', 'answering', 'answering'), failures: [rowWith({ error_code: 'x' })] }), nothing, zh));
    expect(all.filter((label) => label !== '' && !/\p{Script=Han}/u.test(label.replace('Codex: ', '')) && !label.startsWith('curl'))).toEqual([]);
  });
});

const noActions = { navigate: () => undefined, search: () => undefined, setAccepting: () => undefined, quit: () => undefined };

describe('menus and dialogs', () => {
  it.each(['en', 'zh'] as const)('have a word for everything in %s', (language) => {
    const { t } = createTexts(language);
    const labels = (items: ReturnType<typeof appMenu>): string[] => items.flatMap((item) => [item.label ?? '', ...(Array.isArray(item.submenu) ? labels(item.submenu) : [])]);
    for (const platform of ['darwin', 'win32', 'linux'] as const) {
      const menu = appMenu(platform, 'Holdfast', true, runningAt, noActions, t);
      expect(labels(menu).filter((label) => label.startsWith('native.'))).toEqual([]);
      expect(labels(menu)).toContain(t('native.menu.quit', { name: 'Holdfast' }));
    }
  });

  it.each(['darwin', 'win32', 'linux'] as const)('have a key for every page, the settings and the search on %s, and nothing for developers in a package', (platform) => {
    const { t } = createTexts('en');
    const went: string[] = [];
    const actions = { ...noActions, navigate: (page: string) => { went.push(page); }, search: () => { went.push('search'); } };
    const all = (items: ReturnType<typeof appMenu>): ReturnType<typeof appMenu> => items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])]);
    const items = all(appMenu(platform, 'Holdfast', false, runningAt, actions, t));
    for (const key of ['1', '2', '3', '4', '5', ',', 'F']) (items.find(({ accelerator }) => accelerator === `CmdOrCtrl+${key}`)?.click as (() => void) | undefined)?.();
    expect(went).toEqual(['overview', 'requests', 'upstreams', 'routes', 'settings', 'settings', 'search']);
    const keys = items.flatMap(({ accelerator }) => (accelerator === undefined ? [] : [accelerator]));
    expect(new Set(keys).size).toBe(keys.length);
    const roles = (developer: boolean) => all(appMenu(platform, 'Holdfast', developer, runningAt, actions, t)).flatMap(({ role }) => (role === 'toggleDevTools' || role === 'reload' ? [role] : []));
    expect([roles(false), roles(true)]).toEqual([[], ['reload', 'toggleDevTools']]);
  });

  it('let the user stop new requests and tick what is so, also where there is no tray', () => {
    const { t } = createTexts('en');
    const told: boolean[] = [];
    const all = (items: ReturnType<typeof appMenu>): ReturnType<typeof appMenu> => items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])]);
    const item = all(appMenu('linux', 'Holdfast', false, { ...runningAt, closed: true }, { ...noActions, setAccepting: (accepting) => { told.push(accepting); } }, t)).find(({ type }) => type === 'checkbox');
    expect(item?.checked).toBe(true);
    (item?.click as (() => void) | undefined)?.();
    expect(told).toEqual([true]);
  });

  it('the task bar of Windows leads to pages by links that the app follows', () => {
    const tasks = jumpTasks('C:\\Holdfast.exe', createTexts('zh').t);
    expect(tasks.map(({ arguments: args }) => readLink(linkAmong(args.split(' '))))).toEqual([{ page: 'overview' }, { page: 'requests', id: null }, { page: 'upstreams' }, { page: 'settings', section: null }]);
    expect(tasks.every(({ title, program }) => /\p{Script=Han}/u.test(title) && program === 'C:\\Holdfast.exe')).toBe(true);
  });

  it('names the oldest running requests and counts the rest', () => {
    const { t } = createTexts('en');
    const row = (started_at: number) => ({ row: { client: 'Codex', model_asked: `m${started_at}`, started_at } }) as unknown as InFlight;
    const lines = runningLines([7, 2, 3, 4, 5, 6, 1].map((secs) => row(secs * 1000)), 10_000, t);
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe('Codex: m1000, 9 s');
    expect(lines[5]).toBe('and 2 more');
  });

  it('say what to do when the data folder cannot be used', () => {
    const { t } = createTexts('en');
    expect(refusalText({ kind: 'newer_version', file: '/d/holdfast.db', found: 9, supported: 1 }, t)).toMatch(/newer version.*nothing in it has been changed[\s\S]*\/d\/holdfast\.db/);
    expect(refusalText({ kind: 'not_writable', dataDir: '/d', reason: 'EACCES' }, t)).toMatch(/\/d[\s\S]*EACCES[\s\S]*HOLDFAST_DATA_DIR/);
  });
});
