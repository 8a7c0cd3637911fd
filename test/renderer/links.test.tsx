// UI.md: a link of another program opens the window on something; what somebody is typing is worth more.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../shared/settings.ts';
import { createFakeBridge, fakeWorld } from './support/fake-bridge.ts';
import { exchange } from './support/rows.ts';
import { openWindow, renderWindow } from './support/window.tsx';

const settings = { ...defaultSettings(), 'app.language': 'en' as const };
const steps = { upstreamAdded: true, copied: true, requestAnswered: true, dismissed: true };

describe('a link', () => {
  it('opens the story of a request, and says so when the request is gone', async () => {
    const { tell } = openWindow({ settings, steps, rows: [exchange({ id: 'kept', model_asked: 'm-kept' })] });
    await screen.findByRole('heading', { name: 'Overview' });
    tell('link.followed', { page: 'requests', id: 'kept' });
    expect(await screen.findByRole('heading', { name: /m-kept/ })).toBeTruthy();
    tell('link.followed', { page: 'requests', id: 'long-gone' });
    expect(await screen.findByText('This request is not in the log any more')).toBeTruthy();
  });

  it('opens a section of the settings, each time anew', async () => {
    const user = userEvent.setup();
    const { tell } = openWindow({ settings, steps });
    await screen.findByRole('heading', { name: 'Overview' });
    tell('link.followed', { page: 'settings', section: 'limits' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Limits' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'General' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'General' })).toBeTruthy();
    tell('link.followed', { page: 'settings', section: 'limits' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Limits' })).toBeTruthy();
  });

  it('that was followed before the page listened is asked for once it listens', async () => {
    const fake = createFakeBridge(fakeWorld({ settings, steps }));
    fake.answer('link.take', async () => ({ page: 'settings', section: 'server' }));
    renderWindow(fake);
    expect(await screen.findByRole('heading', { level: 1, name: 'Server' })).toBeTruthy();
    expect(fake.asked.some(({ name }) => name === 'settings.set')).toBe(false);
  });

  it('does not cost an upstream that is being typed in', async () => {
    const user = userEvent.setup();
    const { tell } = openWindow({ settings, steps });
    await user.click(await screen.findByRole('button', { name: 'Upstreams' }));
    await user.click(await screen.findByRole('button', { name: 'OpenAI' }));
    const key = await screen.findByLabelText<HTMLInputElement>('API key');
    await user.type(key, 'sk-typed');
    tell('link.followed', { page: 'routes' });
    expect(await screen.findByText('A link was not followed: something here is not saved yet.')).toBeTruthy();
    expect(key.isConnected && key.value).toBe('sk-typed');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    tell('link.followed', { page: 'routes' });
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Routes' })).toBeTruthy());
  });
});
