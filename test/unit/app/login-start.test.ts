// UI.md "Desktop manners": start at login, a file on Linux, and an honest word where it cannot be.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUTOSTART_FILE, autostartEntry, autostartFolder, createLoginStart } from '../../../main/app/login-start.ts';

let home: string;
beforeEach(() => { home = mkdtempSync(join(tmpdir(), 'holdfast-login-')); });
afterEach(() => { rmSync(home, { recursive: true, force: true }); });

const keeper = (executable = '/opt/Holdfast/holdfast') => {
  const faults: string[] = [];
  return { faults, ...createLoginStart(autostartFolder(join(home, 'autostart'), executable), (reason) => { faults.push(reason); }) };
};
const file = () => join(home, 'autostart', AUTOSTART_FILE);

describe('start at login on Linux', () => {
  it('is a file in the autostart folder, written and removed as the setting says', async () => {
    const { follow, state } = keeper();
    expect(await state()).toEqual({ kind: 'off' });
    await follow({ on: true, hidden: false });
    expect(readFileSync(file(), 'utf8')).toBe('[Desktop Entry]\nType=Application\nName=Holdfast\nExec="/opt/Holdfast/holdfast"\nTerminal=false\nX-GNOME-Autostart-enabled=true\n');
    expect(await state()).toEqual({ kind: 'on' });
    await follow({ on: true, hidden: true });
    expect(readFileSync(file(), 'utf8')).toContain('Exec="/opt/Holdfast/holdfast" --hidden\n');
    await follow({ on: false, hidden: true });
    expect(existsSync(file())).toBe(false);
    expect(await state()).toEqual({ kind: 'off' });
  });

  it('follows an app that has moved, and does not touch what is right already', async () => {
    await keeper('/old/Holdfast.AppImage').follow({ on: true, hidden: false });
    await keeper('/new/Holdfast.AppImage').follow({ on: true, hidden: false });
    expect(readFileSync(file(), 'utf8')).toContain('Exec="/new/Holdfast.AppImage"\n');
    const before = statSync(file(), { bigint: true }).mtimeNs;
    await keeper('/new/Holdfast.AppImage').follow({ on: true, hidden: false });
    expect(statSync(file(), { bigint: true }).mtimeNs).toBe(before);
  });

  it('leaves the entry of another copy alone when this one is not to start', async () => {
    await keeper('/opt/Holdfast/holdfast').follow({ on: true, hidden: false });
    await keeper('/tmp/try/holdfast').follow({ on: false, hidden: false });
    expect(readFileSync(file(), 'utf8')).toContain('Exec="/opt/Holdfast/holdfast"\n');
  });

  it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])('that the desktop turned off by %s is told as blocked', async (line) => {
    const { follow, state } = keeper();
    await follow({ on: true, hidden: false });
    writeFileSync(file(), `${autostartEntry('/opt/Holdfast/holdfast', false).replace('X-GNOME-Autostart-enabled=true\n', '')}${line}\n`);
    expect(await state()).toEqual({ kind: 'blocked' });
    await follow({ on: false, hidden: false });
    expect(await state()).toEqual({ kind: 'off' });
  });

  it('that cannot be written is told with the reason of the system, and works once it can be', async () => {
    writeFileSync(join(home, 'autostart'), 'a file where the folder should be');
    const { follow, state, faults } = keeper();
    await follow({ on: true, hidden: false });
    expect(await state()).toMatchObject({ kind: 'cannot', why: 'failed', reason: expect.stringMatching(/ENOTDIR|EEXIST/) as string });
    expect(faults).toHaveLength(1);
    rmSync(join(home, 'autostart'));
    mkdirSync(join(home, 'autostart'));
    await follow({ on: true, hidden: true });
    expect(await state()).toEqual({ kind: 'on' });
  });

  it.each(['/a b/Hold fast', '/q"u`o$t\\e', '/100%/x', '/line\nExec=evil'])('names the executable %j as one argument that says nothing else', (path) => {
    const lines = autostartEntry(path, true).split('\n');
    expect(lines.filter((line) => line.startsWith('Exec='))).toHaveLength(1);
    // Read as the specification of desktop entries says: first the value, then its arguments.
    const value = (lines.find((line) => line.startsWith('Exec=')) ?? '').slice('Exec='.length).replace(/\\([\\n])/g, (_, one: string) => (one === 'n' ? '\n' : one));
    expect(value.endsWith('" --hidden')).toBe(true);
    expect(value.slice(1, -'" --hidden'.length).replace(/\\(["`$\\])/g, '$1').replaceAll('%%', '%')).toBe(path);
  });

  it('writes an entry that the system\'s own checker takes', () => {
    const checker = '/usr/bin/desktop-file-validate';
    writeFileSync(join(home, AUTOSTART_FILE), autostartEntry('/opt/Holdfast/holdfast', true));
    if (existsSync(checker)) expect(execFileSync(checker, [join(home, AUTOSTART_FILE)], { encoding: 'utf8' })).toBe('');
  });
});

it('an app that runs from its sources says that there is nothing to start', async () => {
  const { follow, state } = createLoginStart(null, () => undefined);
  await follow({ on: true, hidden: false });
  expect(await state()).toEqual({ kind: 'cannot', why: 'not_packaged' });
});
