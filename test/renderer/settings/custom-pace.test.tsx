// Settings > Gateway > Routing strategy: a pace of one's own, with the chart that follows it (UI.md; SPEC 8.2, 14).
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import { enter, openSection } from './support.tsx';

const patient = defaultSettings()['gateway.retry_policy'];
const custom = (part: Partial<typeof patient> = {}): Partial<Settings> => ({ 'gateway.retry_preset': 'custom', 'gateway.retry_policy': { ...patient, ...part } });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const chart = () => within(screen.getByRole('region', { name: 'When it would try again' }));
const written = (part: object) => ({ key: 'gateway.retry_policy', value: { ...patient, ...part } });

describe('the pace', () => {
  it('opens every field of a policy with Custom, and none with a preset', async () => {
    const { user } = await openSection('Routing strategy');
    expect(screen.queryByRole('textbox', { name: 'First pause' })).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Custom' }));
    for (const name of ['First pause', 'Longest pause', 'Spread', 'Attempts', 'Shortest Retry-After', 'Attempt timeout']) expect(await screen.findByRole('textbox', { name })).toBeTruthy();
    expect(screen.getByRole('group', { name: 'Statuses that are retried' })).toBeTruthy();
    expect(screen.getByRole('switch', { name: 'Retry after a timeout' })).toBeTruthy();
  });

  it('has the retry of timeouts in a setting of its own for presets', async () => {
    const { user, sent } = await openSection('Routing strategy');
    await user.click(screen.getByRole('switch', { name: 'Retry after a timeout' }));
    await waitFor(() => expect(sent()).toEqual([{ key: 'gateway.retry_on_timeout', value: true }]));
    expect(await chart().findByText(/a timeout/)).toBeTruthy();
  });
});

describe('a pace of one’s own', () => {
  it('shows seconds, saves milliseconds, and takes back only what was changed', async () => {
    const opened = await openSection('Routing strategy', custom());
    await enter(opened.user, field('First pause'), '0.5');
    await waitFor(() => expect(opened.sent()).toEqual([written({ baseMs: 500 })]));
    const undo = await screen.findByRole('button', { name: 'Undo' });
    opened.changeElsewhere(custom({ baseMs: 500, maxAttempts: 7 }));
    // At once: the toast does not wait for long.
    fireEvent.click(undo);
    await waitFor(() => expect(opened.sent()[1]).toEqual(written({ baseMs: 2_000, maxAttempts: 7 })));
  });

  it('never lets one field bring another back that was saved a moment before', async () => {
    const opened = await openSection('Routing strategy', custom());
    await opened.user.clear(field('First pause'));
    await opened.user.type(field('First pause'), '1');
    // Leaving the field saves it; the click saves another field of the same object at once.
    await opened.user.click(screen.getByRole('radio', { name: 'At least' }));
    await waitFor(() => expect(opened.sent()).toEqual([written({ baseMs: 1_000 }), written({ baseMs: 1_000, hint: 'floor' })]));
  });

  it.each([
    ['First pause', '61', '61 is too large. Allowed is 0 to 16.'],
    ['First pause', '17', '17 is too large. Allowed is 0 to 16.'],
    ['Longest pause', '1', '1 is too small. Allowed is 2 to 600.'],
    ['Spread', '101', '101 is too large. Allowed is 0 to 100.'],
    ['Attempts', '2.5', '2.5 is not a whole number. Allowed is 0 to 100.'],
    ['Attempts', '-1', '-1 is too small. Allowed is 0 to 100.'],
    ['Shortest Retry-After', 'soon', '"soon" is not a number. Allowed is 0 to 60.'],
    ['Attempt timeout', '0.5', '0.5 is too small. Allowed is 1 to 3,600.'],
    ['First pause', '0.00005', '0.00005 has too many decimals.'],
  ])('refuses %s of %s with the range, and sends nothing', async (name, text, words) => {
    const opened = await openSection('Routing strategy', custom());
    await enter(opened.user, field(name), text);
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect(opened.sent()).toEqual([]);
  });

  it('takes 0 as off for the attempt timeout', async () => {
    const opened = await openSection('Routing strategy', custom({ attemptTimeoutMs: 30_000 }));
    expect(chart().getByText(/not answered after 30 s/)).toBeTruthy();
    await enter(opened.user, field('Attempt timeout'), '0');
    await waitFor(() => expect(opened.sent()).toEqual([written({ attemptTimeoutMs: 0 })]));
  });

  it('lifts the longest pause along with a constant one', async () => {
    const opened = await openSection('Routing strategy', custom({ backoff: 'constant' }));
    expect(screen.queryByRole('textbox', { name: 'Longest pause' })).toBeNull();
    await enter(opened.user, field('Pause'), '30');
    await waitFor(() => expect(opened.sent()).toEqual([written({ backoff: 'constant', baseMs: 30_000, maxMs: 30_000 })]));
  });

  it('is drawn and said while it is typed, before anything is saved', async () => {
    const opened = await openSection('Routing strategy', { ...custom({ jitter: 0 }), 'gateway.retry_wait_secs': 20 });
    expect(chart().getByText('Up to 3 retries, at about 2, 6, and 14 s.')).toBeTruthy();
    await opened.user.clear(field('First pause'));
    await opened.user.type(field('First pause'), '5');
    expect(chart().getByText('Up to 2 retries, at about 5 and 15 s.')).toBeTruthy();
    await opened.user.clear(field('Attempts'));
    await opened.user.type(field('Attempts'), '2');
    expect(chart().getByText('1 retry, at about 5 s.')).toBeTruthy();
  });

  it('adds and removes statuses, refuses others, and the words follow', async () => {
    const opened = await openSection('Routing strategy', custom());
    const add = field('Statuses that are retried: add a status');
    await enter(opened.user, add, '399');
    expect((await screen.findByRole('alert')).textContent).toContain('399 is not possible. Allowed is a whole number from 400 to 599.');
    await enter(opened.user, add, '503');
    expect((await screen.findByRole('alert')).textContent).toContain('503 is already there.');
    expect(opened.sent()).toEqual([]);
    await enter(opened.user, add, '425');
    await waitFor(() => expect(opened.sent()).toEqual([written({ statuses: [425, 500, 502, 503, 504, 529] })]));
    expect(await chart().findByText(/status 425, 500, 502/)).toBeTruthy();
    await opened.user.click(screen.getByRole('button', { name: 'Remove 500' }));
    await waitFor(() => expect(opened.sent()[1]).toEqual(written({ statuses: [425, 502, 503, 504, 529] })));
  });

  it('shows at once what was changed elsewhere', async () => {
    const opened = await openSection('Routing strategy', custom());
    opened.changeElsewhere(custom({ baseMs: 4_000, hint: 'floor' }));
    await waitFor(() => expect(field('First pause').value).toBe('4'));
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'At least' }).checked).toBe(true);
  });
});

describe('the example of a Retry-After', () => {
  it('draws and says what it would do, and saves nothing', async () => {
    const opened = await openSection('Routing strategy', { ...custom({ jitter: 0 }), 'gateway.retry_wait_secs': 20 });
    await opened.user.click(screen.getByRole('switch', { name: 'Show what Retry-After would do' }));
    expect(chart().getByText('Every failure says Retry-After 5 s. Up to 3 retries, at about 5, 10, and 15 s.')).toBeTruthy();
    await opened.user.clear(field('Retry-After of the example in seconds'));
    await opened.user.type(field('Retry-After of the example in seconds'), '30');
    expect(chart().getByText(/past the deadline of 20 s, so the failure goes back at once/)).toBeTruthy();
    expect(opened.sent()).toEqual([]);
  });
});
