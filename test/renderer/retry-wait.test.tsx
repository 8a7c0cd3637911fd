// Settings > Gateway > Routing strategy: the retry wait (UI.md; SPEC 14: 0-600, default 120).
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../shared/settings.ts';
import { openWindow, type TestWindow } from './support/window.tsx';

async function openStrategy(secs = 120): Promise<TestWindow & { field: HTMLInputElement; user: ReturnType<typeof userEvent.setup> }> {
  const opened = openWindow({ settings: { ...defaultSettings(), 'app.language': 'en', 'gateway.retry_wait_secs': secs } });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('button', { name: 'Routing strategy' }));
  return { ...opened, user, field: await screen.findByRole<HTMLInputElement>('textbox', { name: 'Retry wait in seconds' }) };
}

const sent = ({ fake }: TestWindow) => fake.asked.filter((one) => one.name === 'settings.set').map((one) => one.argument);
const chart = () => screen.getByRole('region', { name: 'When it would try again' });

describe('the retry wait', () => {
  it('is saved with Enter, and the old value comes back with Undo', async () => {
    const opened = await openStrategy();
    await opened.user.clear(opened.field);
    await opened.user.type(opened.field, '30{Enter}');
    expect(await screen.findByText('Retry wait: 120 s → 30 s')).toBeTruthy();
    await opened.user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(opened.field.value).toBe('120'));
    expect(sent(opened)).toEqual([{ key: 'gateway.retry_wait_secs', value: 30 }, { key: 'gateway.retry_wait_secs', value: 120 }]);
  });

  it.each([['601', '601 is too large. Allowed is 0 to 600.'], ['-1', '-1 is too small. Allowed is 0 to 600.'], ['1.5', '1.5 is not a whole number. Allowed is 0 to 600.'], ['soon', '"soon" is not a number. Allowed is 0 to 600.']])('refuses %s with the range, and sends nothing', async (typed, words) => {
    const opened = await openStrategy();
    await opened.user.clear(opened.field);
    await opened.user.type(opened.field, `${typed}{Enter}`);
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect(sent(opened)).toEqual([]);
    await opened.user.click(screen.getByRole('button', { name: 'Keep 120 s' }));
    expect(opened.field.value).toBe('120');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is off at 0, and says so', async () => {
    const opened = await openStrategy();
    await opened.user.clear(opened.field);
    await opened.user.type(opened.field, '0{Enter}');
    await waitFor(() => expect(sent(opened)).toEqual([{ key: 'gateway.retry_wait_secs', value: 0 }]));
    expect(within(chart()).getByText(/Retrying is off/)).toBeTruthy();
    expect(await screen.findByText('Retry wait: 120 s → off')).toBeTruthy();
  });

  it('shows the schedule of what is typed before it is saved', async () => {
    const opened = await openStrategy();
    expect(within(chart()).getByText(/Up to 9 retries/)).toBeTruthy();
    await opened.user.clear(opened.field);
    await opened.user.type(opened.field, '20');
    expect(within(chart()).getByText('Up to 3 retries, at about 2, 6, and 14 s.')).toBeTruthy();
    expect(sent(opened)).toEqual([]);
  });

  it('moves the slider with the field and the field with the slider', async () => {
    const opened = await openStrategy();
    const slider = screen.getByRole('slider', { name: 'Retry wait' });
    await opened.user.clear(opened.field);
    await opened.user.type(opened.field, '300');
    expect(slider.getAttribute('aria-valuenow')).toBe('300');
    fireEvent.keyDown(slider, { key: 'ArrowRight' });
    expect(opened.field.value).toBe('305');
  });

  it('shows at once what was changed elsewhere', async () => {
    const opened = await openStrategy();
    opened.tell('settings.changed', { ...defaultSettings(), 'app.language': 'en', 'gateway.retry_wait_secs': 45 });
    await waitFor(() => expect(opened.field.value).toBe('45'));
    expect(within(chart()).getByText(/Up to \d+ retries/)).toBeTruthy();
  });

  it('goes back to the default with one button', async () => {
    const opened = await openStrategy(300);
    await opened.user.click(screen.getByRole('button', { name: 'Retry wait in seconds: back to the default, 120 s' }));
    await waitFor(() => expect(sent(opened)).toEqual([{ key: 'gateway.retry_wait_secs', value: 120 }]));
  });
});
