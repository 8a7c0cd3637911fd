// Settings > Gateway > Security and Server over a fake main (UI.md, Settings; SPEC 1.1, 1.4, 1.5, 2.3, 14).
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import type { ListedKey } from '../../../shared/key.ts';
import { fakeWorld, type FakeWorld } from '../support/fake-bridge.ts';
import { openWindow } from '../support/window.tsx';

async function open(section: string, part: Partial<FakeWorld> = {}, settings: Partial<Settings> = {}) {
  const user = userEvent.setup();
  const made = openWindow({ ...part, settings: { ...defaultSettings(), 'app.language': 'en', ...settings } });
  await user.click(await screen.findByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('button', { name: section }));
  const said = (channel: string) => made.fake.asked.filter(({ name }) => name === channel).map(({ argument }) => argument);
  return { ...made, user, said };
}

const key = (part: Partial<ListedKey>): ListedKey => ({ id: 'k1', name: 'default', hint: 'hf-...k3Qd', disabled: false, createdAt: 0, lastUsedAt: null, ...part });
const row = async (name: string) => within((await screen.findByRole('rowheader', { name: new RegExp(name) })).closest('tr')!);

describe('Gateway keys', () => {
  it('tell when each was last used, and are copied in main', async () => { // SPEC 1.4, 2.3
    const { user, said } = await open('Security', { keys: [key({}), key({ id: 'k2', name: 'laptop', lastUsedAt: Date.now() - 3 * 60_000 - 5_000 }), key({ id: 'k3', name: 'desk', lastUsedAt: Date.now() }), key({ id: 'k4', name: 'old', disabled: true, lastUsedAt: Date.now() - 50 * 3_600_000 })] });
    expect((await row('default')).getByText('never')).toBeTruthy();
    expect((await row('laptop')).getByText('3 min ago')).toBeTruthy();
    expect((await row('desk')).getByText('just now')).toBeTruthy();
    expect((await row('old')).getByText('2 d 2 h ago')).toBeTruthy();
    expect((await row('old')).getByText('disabled')).toBeTruthy();
    await user.click((await row('laptop')).getByRole('button', { name: 'Copy the key laptop' }));
    await waitFor(() => expect(said('clipboard.copy')).toEqual([{ what: 'key', id: 'k2' }]));
  });

  it('are added and renamed, with what is wrong with a name at its field', async () => { // SPEC 1.4
    const { user, said } = await open('Security');
    await user.click(await screen.findByRole('button', { name: 'Add' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New key' }));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'default');
    await user.click(dialog.getByRole('button', { name: 'Make the key' }));
    expect(await dialog.findByText('There is a key of this name already.')).toBeTruthy();
    await user.clear(dialog.getByRole('textbox', { name: 'Name' }));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'laptop{Enter}');
    expect((await row('laptop')).getByText('hf-...nEw0')).toBeTruthy();
    expect(said('keys.add')).toEqual([{ name: 'default' }, { name: 'laptop' }]);
    await user.click(screen.getByRole('button', { name: 'Rename laptop' }));
    const rename = within(await screen.findByRole('dialog', { name: 'Rename the key' }));
    await user.clear(rename.getByRole('textbox', { name: 'Name' }));
    await user.type(rename.getByRole('textbox', { name: 'Name' }), 'desk');
    await user.click(rename.getByRole('button', { name: 'Rename' }));
    await waitFor(() => expect(said('keys.rename')).toEqual([{ id: 'k2', name: 'desk' }]));
    expect(await row('desk')).toBeTruthy();
  });

  it('are made anew and deleted only when the user says so twice, and switched off at once', async () => { // SPEC 1.4
    const { user, said } = await open('Security', { keys: [key({}), key({ id: 'k2', name: 'laptop' })] });
    await user.click(await screen.findByRole('button', { name: 'Make laptop anew' }));
    const rotate = within(await screen.findByRole('dialog', { name: 'Make laptop anew?' }));
    expect(rotate.getByText(/The old one is refused from then on/)).toBeTruthy();
    expect(said('keys.rotate')).toEqual([]);
    await user.click(rotate.getByRole('button', { name: 'Make anew' }));
    expect(await (await row('laptop')).findByText('hf-...nEw1')).toBeTruthy();
    await user.click((await row('laptop')).getByRole('switch', { name: 'laptop is enabled' }));
    await waitFor(() => expect(said('keys.set_disabled')).toEqual([{ id: 'k2', disabled: true }]));
    await user.click(screen.getByRole('button', { name: 'Delete laptop' }));
    const remove = within(await screen.findByRole('dialog', { name: 'Delete laptop?' }));
    await user.click(remove.getByRole('button', { name: 'Cancel' }));
    expect(said('keys.remove')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Delete laptop' }));
    await user.click(within(await screen.findByRole('dialog', { name: 'Delete laptop?' })).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('rowheader', { name: /laptop/ })).toBeNull());
    expect(said('keys.remove')).toEqual([{ id: 'k2' }]);
  });

  it('that are none say what that means', async () => {
    await open('Security', { keys: [] });
    expect(await screen.findByText('While a key is asked for, nobody can use the gateway.')).toBeTruthy();
  });
});

describe('Who may use the gateway', () => {
  it('takes pages and names as chips, tidied up, and refuses what is none', async () => { // SPEC 1.5
    const { user, said } = await open('Security');
    const pages = await screen.findByRole('textbox', { name: 'Web pages: add one' });
    await user.type(pages, 'https://Chat.example.com/{Enter}');
    await waitFor(() => expect(said('settings.set')).toEqual([{ key: 'gateway.allowed_origins', value: ['https://chat.example.com'] }]));
    for (const wrong of ['https://x.example/path', '*', 'x.example', 'https://*.example']) {
      await user.clear(pages);
      await user.type(pages, `${wrong}{Enter}`);
      expect((await screen.findByRole('alert')).textContent).toContain(`${wrong} is not the address of a page`);
    }
    await user.clear(pages);
    const names = screen.getByRole('textbox', { name: 'Names of this computer: add one' });
    await user.type(names, 'my box{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('my box is not a name');
    await user.clear(names);
    await user.type(names, 'Box.local:4653{Enter}');
    await waitFor(() => expect(said('settings.set').at(-1)).toEqual({ key: 'gateway.allowed_hosts', value: ['box.local:4653'] }));
    await user.click(await screen.findByRole('button', { name: 'Remove https://chat.example.com' }));
    await waitFor(() => expect(said('settings.set').at(-1)).toEqual({ key: 'gateway.allowed_origins', value: [] }));
    expect(said('settings.set')).toHaveLength(3);
  });

  it('says what it means when no key is asked for, and that this cannot be on a network', async () => { // SPEC 14
    const { user, said } = await open('Security');
    await user.click(await screen.findByRole('switch', { name: 'Ask for a key' }));
    expect(await screen.findByText(/Every program on this computer/)).toBeTruthy();
    expect(said('settings.set')).toEqual([{ key: 'gateway.require_key', value: false }]);
    await user.click(await screen.findByRole('button', { name: 'Server' }));
    await user.click(await screen.findByText('The network'));
    expect((await screen.findByRole('alert')).textContent).toContain('On a network a key is always asked for');
  });

  it('refuses to ask for no key while the network can reach it', async () => { // SPEC 1.1, 14
    const { user } = await open('Security', {}, { 'gateway.bind': 'lan' });
    await user.click(await screen.findByRole('switch', { name: 'Ask for a key' }));
    expect((await screen.findByRole('alert')).textContent).toContain('there a key is always asked for');
  });
});

describe('Where secrets are kept', () => {
  it('is the keychain of the system where there is one', async () => { // SPEC 2.3
    await open('Security');
    expect(await screen.findByText(/A copy of the data folder gives none of them away/)).toBeTruthy();
  });

  it('names those that lie in clear beside it, and seals them when asked to', async () => { // SPEC 2.3
    const { user, said } = await open('Security', { info: { ...fakeWorld().info, secretsInClear: 2 } });
    expect(await screen.findByText(/2 secrets were saved without it/)).toBeTruthy();
    expect(screen.queryByText(/A copy of the data folder gives none/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Encrypt them' }));
    expect(said('app.seal_secrets')).toEqual([null]);
    expect(await screen.findByText(/A copy of the data folder gives none/)).toBeTruthy();
  });

  it('is a file where there is none, and that is said as it is: not encrypted', async () => { // SPEC 2.3
    await open('Security', { info: { ...fakeWorld().info, secretBox: 'file' } });
    expect(await screen.findByText(/secrets are not encrypted/)).toBeTruthy();
    expect(screen.getByText('/home/ada/.config/Holdfast/secrets.json')).toBeTruthy();
    expect(screen.queryByText(/A copy of the data folder/)).toBeNull();
  });
});

describe('Server', () => {
  it('warns when the network can reach it, and shows the addresses there', async () => { // SPEC 1.1
    const { user, said } = await open('Server', { gateway: { status: 'running', url: 'http://127.0.0.1:4653', port: 4653, problem: null, networkUrls: ['http://192.168.1.7:4653'] } }, { 'gateway.bind': 'lan' });
    expect(await screen.findByText(/what is sent is not encrypted/)).toBeTruthy();
    expect(screen.getByText('http://192.168.1.7:4653')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Copy http://192.168.1.7:4653' }));
    expect(said('clipboard.copy')).toEqual([{ what: 'text', text: 'http://192.168.1.7:4653' }]);
  });

  it('moves to the network and back at a click, and shows where the metrics are once they are on', async () => { // SPEC 1.1, 16
    const { user, said } = await open('Server');
    await user.click(await screen.findByText('The network'));
    expect(await screen.findByText(/what is sent is not encrypted/)).toBeTruthy();
    await user.click(screen.getByText('This computer'));
    await waitFor(() => expect(said('settings.set')).toEqual([{ key: 'gateway.bind', value: 'lan' }, { key: 'gateway.bind', value: 'loopback' }]));
    await user.click(screen.getByRole('switch', { name: 'Metrics' }));
    expect(await screen.findByText('http://127.0.0.1:4653/metrics')).toBeTruthy();
  });
});
