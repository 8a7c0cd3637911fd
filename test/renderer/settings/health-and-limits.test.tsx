// Settings > Gateway > Health and Limits over a fake main (UI.md, Settings; SPEC 9.3, 9.4, 14).
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../shared/settings.ts';
import { DEMO } from '../support/fake-bridge.ts';
import { openWindow } from '../support/window.tsx';

async function open(section: string) {
  const user = userEvent.setup();
  const made = openWindow({ settings: { ...defaultSettings(), 'app.language': 'en' }, upstreams: [{ ...DEMO, id: 'ada', name: 'Ada', preset: 'anthropic', baseUrl: 'https://api.anthropic.com', credential: { kind: 'stored', hint: 'sk-...abcd' }, models: [], maxInFlight: 4 }] });
  await user.click(await screen.findByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('button', { name: section }));
  const saved = () => made.fake.asked.filter(({ name }) => name === 'settings.set').map(({ argument }) => argument);
  return { ...made, user, saved };
}

describe('Health', () => {
  it('says in words what its numbers mean, and saves each at once with undo', async () => {
    const { user, saved } = await open('Health');
    expect(await screen.findByText('An upstream rests after 3 failed requests in a row, or when 50% of at least 10 requests within 60 s fail. The first rest takes 60 s; each further one twice as long, up to 600 s.')).toBeTruthy();
    const share = screen.getByRole('textbox', { name: 'Share that fails' });
    await user.clear(share);
    await user.type(share, '25{Enter}');
    await waitFor(() => expect(saved()).toEqual([{ key: 'gateway.breaker', value: { ...defaultSettings()['gateway.breaker'], ratio: 0.25 } }]));
    expect(await screen.findByText(/or when 25% of at least 10/)).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText(/or when 50% of at least 10/)).toBeTruthy();
  });

  it('refuses what is out of range with the range, and saves nothing', async () => {
    const { user, saved } = await open('Health');
    const failures = await screen.findByRole('textbox', { name: 'Failures in a row' });
    await user.clear(failures);
    await user.type(failures, '101{Enter}');
    expect((await screen.findByRole('alert')).textContent).toMatch(/101.*1 to 100/);
    expect(saved()).toEqual([]);
  });

  it('can be turned off, and says what that means', async () => {
    const { user, saved } = await open('Health');
    await user.click(await screen.findByRole('switch', { name: 'Let failing upstreams rest' }));
    expect(await screen.findByText(/No upstream ever rests/)).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Failures in a row' })).toBeNull();
    expect(saved()).toEqual([{ key: 'gateway.breaker', value: { ...defaultSettings()['gateway.breaker'], enabled: false } }]);
  });
});

describe('Limits', () => {
  it('shows the cap of each upstream and leads to where it is changed', async () => {
    const { user, fake } = await open('Limits');
    expect(await screen.findByText('at most 4 in flight')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Edit Ada' }));
    const editor = await screen.findByRole('dialog', { name: 'Edit Ada' });
    const cap = within(editor).getByLabelText('Most in flight');
    await user.clear(cap);
    await user.type(cap, '10001');
    await user.click(within(editor).getByRole('button', { name: 'Save' }));
    expect(await within(editor).findByText(/A whole number from 0 to 10,000/)).toBeTruthy();
    await user.clear(cap);
    await user.type(cap, '8');
    await user.click(within(editor).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('at most 8 in flight')).toBeTruthy();
    expect(fake.asked.find(({ name }) => name === 'upstreams.update')?.argument).toMatchObject({ id: 'ada', upstream: { max_in_flight: 8, credential: null } });
  });
});
