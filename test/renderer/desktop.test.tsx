// UI.md "Desktop manners" and Settings > General over a fake main.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { LoginStart, Notice } from '../../shared/desktop.ts';
import { defaultSettings, type Settings } from '../../shared/settings.ts';
import type { UpdateState } from '../../shared/updates.ts';
import { fakeWorld, createFakeBridge } from './support/fake-bridge.ts';
import { exchange } from './support/rows.ts';
import { openWindow, renderWindow } from './support/window.tsx';

const settings: Settings = { ...defaultSettings(), 'app.language': 'en' };
const steps = { upstreamAdded: true, copied: true, requestAnswered: true, dismissed: true };
const RUNNING = { status: 'running', url: 'http://127.0.0.1:4653', port: 4653, problem: null } as const;
const UPDATE = { version: '0.2.0', notes: 'Shorter pauses\n<b>bold</b>', releasedAt: null };

async function openSettings(part: Parameters<typeof fakeWorld>[0] = {}, section = 'General') {
  const user = userEvent.setup();
  const made = openWindow({ settings, steps, ...part });
  await user.click(await screen.findByRole('button', { name: 'Settings' }));
  if (section !== 'General') await user.click(await screen.findByRole('button', { name: section }));
  await screen.findByRole('heading', { level: 1, name: section });
  const asked = (name: string) => made.fake.asked.filter((one) => one.name === name).map(({ argument }) => argument);
  return { ...made, user, asked };
}

describe('Settings > General', () => {
  it.each([
    ['Start at login', 'app.start_at_login', true], ['Start hidden', 'app.start_hidden', true],
    ['Keep running when the window is closed', 'app.close_to_tray', false], ['Look for updates', 'app.check_updates', false],
  ] as const)('%s is a switch that is saved at once and can be undone', async (name, key, value) => {
    const { user, asked } = await openSettings();
    await user.click(screen.getByRole('switch', { name }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(asked('settings.set')).toEqual([{ key, value }, { key, value: !value }]));
  });

  it('offers three ways to be told', async () => {
    const { user, asked } = await openSettings();
    await user.click(within(screen.getByRole('radiogroup', { name: 'Notifications' })).getByText('By the system'));
    await waitFor(() => expect(asked('settings.set')).toEqual([{ key: 'app.notifications', value: 'system' }]));
  });

  it.each<[LoginStart, string]>([
    [{ kind: 'cannot', why: 'not_packaged' }, 'This copy runs from its sources, so the system has nothing to start.'],
    [{ kind: 'cannot', why: 'failed', reason: 'EACCES: permission denied' }, 'The system did not take it over: EACCES: permission denied'],
    [{ kind: 'blocked' }, 'The system\'s own settings keep Holdfast from starting.'],
  ])('says why the start at login is not in force: %j', async (loginStart, words) => {
    await openSettings({ loginStart, settings: { ...settings, 'app.start_at_login': true } });
    expect((await screen.findByText(words, { exact: false })).getAttribute('role')).toBe('status');
  });

  it('says that a build without a feed looks for no updates', async () => {
    await openSettings({ updates: { status: 'unavailable', reason: 'no_feed' } });
    expect(await screen.findByText('This build has no feed of updates, so it looks for none.')).toBeTruthy();
  });
});

describe('updates on the About page', () => {
  it('are looked for, downloaded and installed each on a word of its own; notes are text', async () => {
    const { user, asked, tell } = await openSettings({}, 'About');
    await user.click(await screen.findByRole('button', { name: 'Check now' }));
    tell('updates.changed', { status: 'available', update: UPDATE, checkedAt: Date.UTC(2026, 10, 30, 12) });
    expect(await screen.findByText('Version 0.2.0 is available.')).toBeTruthy();
    expect(screen.getByText(/<b>bold<\/b>/)).toBeTruthy();
    expect([asked('updates.check').length, asked('updates.download').length]).toEqual([1, 0]);
    await user.click(screen.getByRole('button', { name: 'Download' }));
    tell('updates.changed', { status: 'downloading', update: UPDATE, share: 0.42 });
    expect(await screen.findByText(/42/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Restart and install' })).toBeNull();
    tell('updates.changed', { status: 'ready', update: UPDATE });
    await user.click(await screen.findByRole('button', { name: 'Restart and install' }));
    expect([asked('updates.download').length, asked('updates.install').length]).toEqual([1, 1]);
    tell('updates.changed', { status: 'installing', update: UPDATE });
    expect(await screen.findByText('Version 0.2.0 is installed when running requests have ended.')).toBeTruthy();
  });

  it.each<[UpdateState, string, boolean]>([
    [{ status: 'failed', fault: 'unreachable', update: null, checkedAt: null }, 'The feed of updates cannot be reached.', false],
    [{ status: 'failed', fault: 'bad_checksum', update: UPDATE, checkedAt: null }, 'What was downloaded is not what the feed promised. It was thrown away.', true],
  ])('say what did not work, and what can be tried again', async (updates, words, again) => {
    await openSettings({ updates }, 'About');
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Download' }) !== null).toBe(again);
  });
});

describe('new requests', () => {
  it('that are not let in are told by the pill and on every page, and one button lets them in again', async () => {
    const user = userEvent.setup();
    const { fake } = openWindow({ settings, steps, gateway: { ...RUNNING, closed: true } });
    expect(await screen.findByText('No new requests are let in')).toBeTruthy();
    expect(screen.getByText('Accepting paused')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Resume' }));
    expect(fake.asked.filter(({ name }) => name === 'gateway.set_accepting').map(({ argument }) => argument)).toEqual([{ accepting: true }]);
    await waitFor(() => expect(screen.queryByText('No new requests are let in')).toBeNull());
    expect(screen.getByText('Running')).toBeTruthy();
  });
});

describe('what the app has to tell', () => {
  const rejected: Notice = { kind: 'key_rejected', upstreamId: 'a', upstream: 'Anthropic' };

  it('waits for the page, stays until it is closed, and leads to where it is explained', async () => {
    const user = userEvent.setup();
    const { fake, tell } = openWindow({ settings, steps, told: [rejected, { kind: 'gateway_failed', problem: { kind: 'port_in_use', port: 1, owner: null, freePort: null } }] });
    expect(await screen.findByText('Anthropic rejects its key')).toBeTruthy();
    // The banner of the gateway tells that.
    expect(screen.queryByText('The gateway is not running')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Upstreams' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Anthropic rejects its key')).toBeNull());
    fake.answer('notices.take', async () => [{ kind: 'update_available', version: '0.2.0' }]);
    tell('notices.waiting', null);
    expect(await screen.findByText('Holdfast 0.2.0 is available')).toBeTruthy();
  });
});

describe('the search key of the menu', () => {
  it('comes to the search field from another page, and on the requests leaves the list as it is', async () => {
    const fake = createFakeBridge(fakeWorld({ settings, steps, rows: [exchange({ id: 'kept', model_asked: 'm-kept' })] }));
    const { tell } = renderWindow(fake);
    await screen.findByRole('heading', { level: 1, name: 'Overview' });
    tell('app.search', null);
    const field = await screen.findByRole('searchbox');
    await waitFor(() => expect(document.activeElement).toBe(field));
    await userEvent.setup().type(field, 'kept');
    field.blur();
    tell('app.search', null);
    expect(document.activeElement).toBe(field);
    expect((field as HTMLInputElement).value).toBe('kept');
  });
});
