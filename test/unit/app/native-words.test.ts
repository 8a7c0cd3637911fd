import { describe, expect, it } from 'vitest';
import { refusalText, runningLines } from '../../../main/app/dialog-texts.ts';
import { createTexts } from '../../../main/app/i18n.ts';
import { appMenu } from '../../../main/app/menu.ts';
import { inFlightLine, trayMenu, trayState, type TrayFacts } from '../../../main/app/tray-menu.ts';
import type { InFlight } from '../../../shared/events.ts';
import { languageFor } from '../../../shared/language.ts';

const runningAt = { status: 'running', url: 'http://127.0.0.1:4653', port: 4653, problem: null } as const;
const taken = { kind: 'port_in_use', port: 4653, owner: 'nginx', freePort: 4654 } as const;
const facts = (more: Partial<TrayFacts> = {}): TrayFacts => ({ gateway: runningAt, inFlight: 0, pausing: 0, ...more });
const nothing = { open: () => undefined, showInFlight: () => undefined, copyAddress: () => undefined, copyKey: () => undefined, quit: () => undefined };

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
    expect(trayState(facts())).toBe('running');
    expect(trayState(facts({ inFlight: 2, pausing: 1 }))).toBe('paused');
    expect(trayState(facts({ gateway: { status: 'failed', problem: taken }, pausing: 1 }))).toBe('problem');
    expect(trayState(facts({ gateway: { ...runningAt, problem: taken } }))).toBe('problem');
  });

  it('counts what runs and what waits', () => {
    expect(inFlightLine(facts({ inFlight: 1 }), t)).toBe('1 request in flight');
    expect(inFlightLine(facts({ inFlight: 3, pausing: 2 }), t)).toBe('3 requests in flight, 2 waiting to retry');
  });

  it('offers no address while there is none', () => {
    const copy = (gateway: TrayFacts['gateway']) => trayMenu(facts({ gateway }), nothing, t).find((item) => item.label === 'Copy address')?.enabled;
    expect(copy(runningAt)).toBe(true);
    expect(copy({ status: 'failed', problem: taken })).toBe(false);
  });
});

describe('menus and dialogs', () => {
  it.each(['en', 'zh'] as const)('have a word for everything in %s', (language) => {
    const { t } = createTexts(language);
    const labels = (items: ReturnType<typeof appMenu>): string[] => items.flatMap((item) => [item.label ?? '', ...(Array.isArray(item.submenu) ? labels(item.submenu) : [])]);
    for (const platform of ['darwin', 'win32', 'linux'] as const) {
      const menu = appMenu(platform, 'Holdfast', true, { navigate: () => undefined, quit: () => undefined }, t);
      expect(labels(menu).filter((label) => label.startsWith('native.'))).toEqual([]);
      expect(labels(menu)).toContain(t('native.menu.quit', { name: 'Holdfast' }));
    }
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
