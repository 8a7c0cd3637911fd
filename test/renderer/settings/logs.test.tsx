// Settings > Logs and privacy over a fake main (UI.md, Settings; SPEC 12.4, 14).
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { enter, openSection } from './support.tsx';

const STATUS = { rowsLost: 0, refusedNotWritten: 0, bodiesLost: 0, waiting: false, sizeBytes: 5 * 1024 * 1024 };

describe('Logs and privacy', () => {
  it('keeps no bodies at first, says what keeping them means, and takes it back', async () => {
    const { user, sent } = await openSection('Logs and privacy');
    expect(screen.queryByText(/What you and the model wrote/)).toBeNull();
    await user.click(await screen.findByRole('radio', { name: 'Errors' }));
    expect(await screen.findByText(/is kept of every request that does not end well/)).toBeTruthy();
    expect(sent()).toEqual([{ key: 'logs.bodies', value: 'errors' }]);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(screen.queryByText(/What you and the model wrote/)).toBeNull());
    expect(sent()).toHaveLength(2);
  });

  it('saves each limit at once, and refuses what is out of range with the range', async () => {
    const { user, sent } = await openSection('Logs and privacy');
    await enter(user, await screen.findByRole('textbox', { name: 'Keep rows for' }), '90');
    await waitFor(() => expect(sent()).toEqual([{ key: 'logs.retention_days', value: 90 }]));
    await enter(user, await screen.findByRole('textbox', { name: 'Largest size' }), '49');
    expect((await screen.findByRole('alert')).textContent).toMatch(/49.*50 to 10,240/);
    await enter(user, await screen.findByRole('textbox', { name: 'Keep bodies for' }), '30');
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]).toEqual({ key: 'logs.body_retention_days', value: 30 });
  });

  it('shows how large the log is and where, and that nothing was lost', async () => {
    await openSection('Logs and privacy', {}, { logStatus: STATUS });
    expect(await screen.findByText('5 MiB')).toBeTruthy();
    expect(await screen.findByText('/home/ada/.config/Holdfast')).toBeTruthy();
    expect(screen.getByText('none since Holdfast started')).toBeTruthy();
  });

  it('tells every loss in words, also one that comes while it is open', async () => {
    const { tell } = await openSection('Logs and privacy', {}, { logStatus: { ...STATUS, rowsLost: 1, refusedNotWritten: 40 } });
    expect(await screen.findByText('1 row could not be written')).toBeTruthy();
    expect(screen.getByText('40 refused requests were counted, not written')).toBeTruthy();
    tell('log.status_changed', { ...STATUS, bodiesLost: 2, waiting: true });
    expect(await screen.findByText('headers and bodies of 2 requests could not be kept')).toBeTruthy();
    expect(screen.getByText('The disk takes nothing at the moment; rows wait.')).toBeTruthy();
    expect(screen.queryByText('1 row could not be written')).toBeNull();
  });

  it('asks before it deletes, says what stays, and deletes nothing when it is not confirmed', async () => {
    const { user, fake } = await openSection('Logs and privacy', {}, { logStatus: STATUS });
    const cleared = () => fake.asked.filter(({ name }) => name === 'logs.clear').map(({ argument }) => argument);
    await user.click(await screen.findByRole('button', { name: 'Delete the log …' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete the log?' });
    expect(within(dialog).getByText(/The figures of the overview stay/)).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(cleared()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Delete bodies …' }));
    await user.click(within(await screen.findByRole('dialog', { name: 'Delete all bodies?' })).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('The bodies are deleted')).toBeTruthy();
    expect(cleared()).toEqual([{ what: 'bodies' }]);
  });

  it('is busy while it deletes, and says when it could not', async () => {
    const { user, fake } = await openSection('Logs and privacy', {}, { logStatus: STATUS });
    let fail: (error: Error) => void = () => undefined;
    fake.answer('logs.clear', () => new Promise<null>((_, reject) => { fail = reject; }));
    await user.click(await screen.findByRole('button', { name: 'Delete the log …' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete bodies …' }).disabled).toBe(true));
    fail(new Error('SQLITE_FULL'));
    expect(await screen.findByText(/Not all of it could be deleted/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete bodies …' }).disabled).toBe(false);
  });
});
