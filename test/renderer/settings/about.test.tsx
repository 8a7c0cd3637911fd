// Settings > About and the notices of SPEC 15 over a fake main.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../shared/settings.ts';
import { openWindow } from '../support/window.tsx';

const english = { ...defaultSettings(), 'app.language': 'en' as const };

async function open() {
  const user = userEvent.setup();
  const made = openWindow({ settings: english, licences: [{ name: 'zod', version: '4.6.7', licence: 'MIT', text: 'Permission is hereby granted' }, { name: 'bare', version: '1.0.0', licence: 'ISC', text: '' }] });
  await user.click(await screen.findByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('button', { name: 'About' }));
  const asked = (name: string) => made.fake.asked.filter((one) => one.name === name).map(({ argument }) => argument);
  return { ...made, user, asked };
}

describe('About', () => {
  it('shows versions and the data folder, and opens addresses by their names alone', async () => {
    const { user, asked } = await open();
    expect(await screen.findByText('0.1.0')).toBeTruthy();
    expect(screen.getByText('/home/ada/.config/Holdfast')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Website of Electron' }));
    expect(asked('about.open_link')).toEqual([{ link: 'electron' }]);
    expect(document.querySelectorAll('a[href]')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Open folder' }));
    expect(asked('data.open_folder')).toEqual([{ folder: 'data' }]);
  });

  it('shows the diagnostics before it saves them, and says that nothing leaves', async () => {
    const { user, asked } = await open();
    await user.click(await screen.findByRole('button', { name: 'Show …' }));
    const dialog = await screen.findByRole('dialog', { name: 'Diagnostics' });
    expect(dialog.textContent).toContain('"holdfast_diagnostics": 1');
    expect(dialog.textContent).toContain('Nothing leaves this computer');
    expect(asked('diagnostics.save')).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Save …' }));
    expect(await screen.findByText('/home/ada/holdfast-diagnostics.json')).toBeTruthy();
  });

  it('lists the licences, with their texts at a click', async () => {
    const { user } = await open();
    const line = await screen.findByRole('button', { name: /zod/ });
    expect(line.textContent).toContain('MIT');
    expect(screen.queryByText('Permission is hereby granted')).toBeNull();
    await user.click(line);
    expect(screen.getByText('Permission is hereby granted')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /bare/ }));
    expect(screen.getByText('Its authors ship no licence text.')).toBeTruthy();
  });
});

// SPEC 15: corrupt database, settings out of range, entries and keys that cannot be read.
describe('what was wrong with the stored data', () => {
  it.each([
    ['en', ['A new one was begun; the old file is still here: /d/holdfast.db.corrupt-2026', 'The setting gateway.port', 'The stored route r', 'The key laptop']],
    ['zh', ['已新建一个；旧文件仍保留在： /d/holdfast.db.corrupt-2026', '设置 gateway.port', '路由 r', '密钥 laptop']],
  ] as const)('stands on every page until it is put away, in %s', async (language, words) => {
    const user = userEvent.setup();
    const { fake } = openWindow({
      settings: { ...english, 'app.language': language },
      notices: [{ kind: 'corrupt_set_aside', file: '/d/holdfast.db.corrupt-2026' }, { kind: 'setting_repaired', key: 'gateway.port', how: 'clamped' }, { kind: 'entry_unreadable', part: 'routes', id: 'r' }, { kind: 'key_unreadable', name: 'laptop' }],
    });
    const banner = await screen.findByRole('alert');
    for (const line of words) expect(banner.textContent).toContain(line);
    await user.click(screen.getByRole('button', { name: language === 'en' ? 'Upstreams' : '上游' }));
    await user.click(within(await screen.findByRole('alert')).getByRole('button', { name: language === 'en' ? 'Close' : '关闭' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(fake.asked.some(({ name }) => name === 'data.notices_seen')).toBe(true);
  });
});
