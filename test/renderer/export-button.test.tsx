// UI "Export what the filter shows as CSV or NDJSON, with progress and cancel".
import './support/dom.ts';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { describe, expect, it } from 'vitest';
import { createQueryClient } from '../../renderer/data/query.ts';
import { createI18n } from '../../renderer/i18n.ts';
import { ExportButton } from '../../renderer/requests/export-button.tsx';
import { EXPORT_FAILURES, type ExportOutcome } from '../../shared/export.ts';
import { createFakeBridge, fakeWorld } from './support/fake-bridge.ts';
import { speak } from './support/words.ts';

const FILTER = { retriedOnly: true, models: ['opus-5.5'] };

function open(language: 'en' | 'zh' = 'en') {
  const fake = createFakeBridge(fakeWorld());
  let end: (outcome: ExportOutcome) => void = () => undefined;
  let asked = 0;
  fake.answer('requests.export', () => {
    asked++;
    return new Promise((resolve) => { end = resolve; });
  });
  Object.defineProperty(window, 'holdfast', { configurable: true, value: fake.bridge });
  const cache = createQueryClient();
  const Pages = () => {
    const [shown, setShown] = useState(true);
    return <><button type="button" onClick={() => setShown(!shown)}>other page</button>{shown && <ExportButton filter={FILTER} />}</>;
  };
  render(
    <QueryClientProvider client={cache}>
      <MantineProvider env="test"><I18nextProvider i18n={createI18n(language)}><Notifications withinPortal={false} /><Pages /></I18nextProvider></MantineProvider>
    </QueryClientProvider>,
  );
  const [t] = speak(language);
  const user = userEvent.setup();
  const start = async (as: 'csv' | 'ndjson') => {
    await user.click(screen.getByRole('button', { name: t('export.button') }));
    await user.click(await screen.findByRole('menuitem', { name: t(`export.as.${as}`) }));
  };
  return { fake, t, user, start, asked: () => asked, end: (outcome: ExportOutcome) => act(async () => { end(outcome); }) };
}

describe('the export button', () => {
  it('exports what the filter shows, tells how far it is, and how it ended', async () => {
    const { fake, t, start, end } = open();
    await start('ndjson');
    expect(fake.asked.filter(({ name }) => name === 'requests.export')).toEqual([{ name: 'requests.export', argument: { filter: FILTER, as: 'ndjson' } }]);
    expect(await screen.findByText(t('export.running', { written: '0' }))).toBeTruthy();
    act(() => fake.emit('export.progress', { written: 1_200, total: null }));
    expect(await screen.findByText(t('export.running', { written: '1,200' }))).toBeTruthy();
    act(() => fake.emit('export.progress', { written: 2_400, total: 12_000 }));
    expect(await screen.findByText(t('export.running_of', { written: '2,400', total: '12,000' }))).toBeTruthy();
    await end({ kind: 'written', file: '/home/ada/out.ndjson', rows: 12_000 });
    expect(await screen.findByText(t('export.done', { count: 12_000, rows: '12,000', file: '/home/ada/out.ndjson' }))).toBeTruthy();
    expect(screen.getByRole('button', { name: t('export.button') })).toBeTruthy();
  });

  it('never tells more rows written than there are, when some have come meanwhile', async () => {
    const { fake, t, start } = open();
    await start('csv');
    act(() => fake.emit('export.progress', { written: 12, total: 10 }));
    expect(await screen.findByText(t('export.running_of', { written: '12', total: '12' }))).toBeTruthy();
  });

  it('cancels, and says nothing of it', async () => {
    const { fake, t, user, start, end } = open();
    await start('csv');
    await user.click(await screen.findByRole('button', { name: t('export.cancel') }));
    expect(fake.asked.map(({ name }) => name)).toContain('requests.export_cancel');
    await end({ kind: 'cancelled' });
    expect(await screen.findByRole('button', { name: t('export.button') })).toBeTruthy();
    expect(screen.queryByText(t('export.done_title'))).toBeNull();
    expect(screen.queryByText(t('export.failed_title'))).toBeNull();
  });

  it('goes on while another page is shown, and its end is told there', async () => {
    const { fake, t, user, start, end, asked } = open();
    await start('csv');
    act(() => fake.emit('export.progress', { written: 7, total: null }));
    await user.click(screen.getByRole('button', { name: 'other page' }));
    await user.click(screen.getByRole('button', { name: 'other page' }));
    expect(await screen.findByText(t('export.running', { written: '7' }))).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'other page' }));
    await end({ kind: 'written', file: '/out.csv', rows: 1 });
    expect(await screen.findByText(t('export.done', { count: 1, rows: '1', file: '/out.csv' }))).toBeTruthy();
    expect(asked()).toBe(1);
  });

  it.each(['en', 'zh'] as const)('says in %s why it could not be written', async (language) => {
    const { t, start, end } = open(language);
    for (const reason of EXPORT_FAILURES) {
      await start('csv');
      await end({ kind: 'failed', reason });
      await waitFor(() => expect(screen.getByText(t(`export.failed.${reason}`))).toBeTruthy());
    }
  });

  it('says so when main is gone', async () => {
    const { fake, t, start } = open();
    fake.answer('requests.export', () => Promise.reject(new Error('gone')));
    await start('csv');
    expect(await screen.findByText(t('state.error_text'))).toBeTruthy();
  });
});
