// Settings > Gateway > Routing strategy and Timeouts: everything around retries (UI.md; SPEC 8.3, 8.6, 10.5, 11, 14).
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../../shared/settings.ts';
import { enter, openSection } from './support.tsx';

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

describe('around retries', () => {
  it.each([
    ['Order of upstreams', 'In turn', { key: 'gateway.strategy', value: 'round_robin' }],
    ['Conversations', 'Stay', { key: 'gateway.affinity', value: 'strict' }],
    ['Rate limits (429)', 'Wait for the reset', { key: 'gateway.rate_limit_action', value: 'wait' }],
  ])('%s is set to %s at once', async (group, choice, change) => {
    const { user, sent } = await openSection('Routing strategy');
    await user.click(within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name: choice }));
    await waitFor(() => expect(sent()).toEqual([change]));
  });

  it('tools are not stopped from starting over unless the user says so', async () => {
    const { user, sent } = await openSection('Routing strategy');
    const stop = screen.getByRole<HTMLInputElement>('switch', { name: 'Stop tools from starting over' });
    expect(stop.checked).toBe(false);
    await user.click(stop);
    await waitFor(() => expect(sent()).toEqual([{ key: 'gateway.stop_client_retries', value: true }]));
    expect(await screen.findByText('Stop tools from starting over: off → on')).toBeTruthy();
  });

  it.each([['Keep-alive interval', '61', '61 is too large. Allowed is 5 to 60.'], ['Capacity', '0', '0 is too small. Allowed is 1 to 10,000.'], ['Back per request', '1.5', '1.5 is too large. Allowed is 0 to 1.']])('%s of %s is refused with the range', async (name, text, words) => {
    const { user, sent } = await openSection('Routing strategy');
    await enter(user, field(name), text);
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect(sent()).toEqual([]);
  });

  it('writes one field of the budget and keeps the others', async () => {
    const { user, sent } = await openSection('Routing strategy', { 'gateway.retry_budget': { enabled: true, capacity: 10, ratio: 0.1, min_per_minute: 7 } });
    await enter(user, field('Back per minute'), '30');
    await waitFor(() => expect(sent()).toEqual([{ key: 'gateway.retry_budget', value: { enabled: true, capacity: 10, ratio: 0.1, min_per_minute: 30 } }]));
    expect(await screen.findByText('10 retries may fail in a row. 30 come back each minute, and 0.1 with each new request.')).toBeTruthy();
  });

  it('turns the budget off and says what that means', async () => {
    const { user } = await openSection('Routing strategy');
    await user.click(screen.getByRole('switch', { name: 'Retry budget' }));
    expect(await screen.findByText(/No brake/)).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Capacity' })).toBeNull();
  });

  it.each([
    [60, [] as string[]],
    [120, ['Gemini CLI leaves it after 60 s']],
    [331, ['more than 330 s has not been seen', 'Gemini CLI leaves it after 60 s']],
  ])('a wait of %i s warns of what tools do not wait for', async (secs, warnings) => {
    await openSection('Routing strategy', { 'gateway.retry_wait_secs': secs });
    const lines = within(screen.getByRole('list', { name: 'Whether tools wait that long' })).getAllByRole('listitem').map((line) => line.textContent);
    expect(lines[0]).toContain('may be billed');
    const warned = lines.filter((line) => line.startsWith('Warning:'));
    expect(warned).toHaveLength(warnings.length);
    warnings.forEach((words, index) => expect(warned[index]).toContain(words));
  });
});

describe('the timeouts', () => {
  const changed = (part: Partial<Settings>) => openSection('Timeouts', part);

  it.each([['Idle timeout', 'gateway.idle_timeout_secs', '29', 'Allowed is 30 to 3,600.'], ['Request timeout', 'gateway.request_timeout_secs', '9', 'Allowed is 10 to 3,600.']])('%s is saved within its range and refused outside', async (name, key, tooSmall, words) => {
    const { user, sent } = await changed({});
    await enter(user, field(name), tooSmall);
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect(sent()).toEqual([]);
    await enter(user, field(name), '90');
    await waitFor(() => expect(sent()).toEqual([{ key, value: 90 }]));
  });

  it('say when whole answers are cut before the retry wait is over', async () => {
    await changed({ 'gateway.request_timeout_secs': 60 });
    expect(await screen.findByText(/given up after 60 s, before the retry wait of 120 s/)).toBeTruthy();
  });
});

describe('the port', () => {
  it('is saved as it is, without a comma, and refused outside its range', async () => {
    const { user, sent } = await openSection('Server');
    for (const [text, words] of [['80', 'Allowed is 1024 to 65535.'], ['0', 'Allowed is 1024 to 65535.']] as const) {
      await enter(user, field('Port'), text);
      expect((await screen.findByRole('alert')).textContent).toContain(words);
    }
    await enter(user, field('Port'), '4700');
    await waitFor(() => expect(sent().at(-1)).toEqual({ key: 'gateway.port', value: 4_700 }));
    expect(await screen.findByText('Port: 4653 → 4700')).toBeTruthy();
  });
});
