// Settings > Data over a fake main (UI.md, Settings; SPEC 15, 18.2).
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { IMPORT_WARNINGS, type DocumentPreview } from '../../../shared/data.ts';
import { FAULT_CODES, VALUE_KINDS, type DocumentFault } from '../../../shared/document.ts';
import { defaultSettings } from '../../../shared/settings.ts';
import { faultWords } from '../../../renderer/settings/data/fault-words.ts';
import { formatterOf } from '../../../renderer/format.ts';
import { createI18n } from '../../../renderer/i18n.ts';
import { openWindow } from '../support/window.tsx';

const TOKEN = '00000000-0000-4000-8000-0000000000aa';
const UNDO = '00000000-0000-4000-8000-0000000000bb';
const none = { added: 0, changed: 0, removed: 0, same: 3 };
const preview = (part: Partial<DocumentPreview> = {}): DocumentPreview => ({ mode: 'merge', settings: { ...none, changed: 2 }, upstreams: { ...none, added: 1, removed: 1 }, routes: none, keys: none, needSecret: ['Ada'], keysLost: ['laptop'], warnings: [], ...part });

async function open(language: 'en' | 'zh' = 'en') {
  const user = userEvent.setup();
  const made = openWindow({
    settings: { ...defaultSettings(), 'app.language': language },
    backups: [{ name: 'configuration-2026-11-30T12-00-00.000Z-daily.json', kind: 'daily', madeAt: Date.UTC(2026, 10, 30, 12), sizeBytes: 2_048 }],
  });
  await user.click(await screen.findByRole('button', { name: language === 'en' ? 'Settings' : '设置' }));
  await user.click(await screen.findByRole('button', { name: language === 'en' ? 'Data' : '数据' }));
  const asked = (name: string) => made.fake.asked.filter((one) => one.name === name).map(({ argument }) => argument);
  return { ...made, user, asked };
}

describe('an import', () => {
  it.each([['en', /not your own.*No key is asked for.*api\.example\.com/], ['zh', /不是你自己的.*不再要求密钥.*api\.example\.com/]] as const)('says what a document would open and where it leads: %s', async (language, words) => {
    const { user, fake } = await open(language);
    const warnings = IMPORT_WARNINGS.map((kind) => ({ kind, names: kind === 'places' ? Array.from({ length: 12 }, (_, n) => `U${n} (api.example.com)`) : [] }));
    fake.answer('document.open', async () => ({ kind: 'ready', token: TOKEN, file: 'theirs.json', preview: preview({ warnings }) }));
    await user.click(screen.getByRole('button', { name: language === 'en' ? 'Import …' : '导入…' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toMatch(words);
    expect(dialog.textContent).not.toContain('U11');
    expect(within(dialog).getAllByRole('listitem')).toHaveLength(IMPORT_WARNINGS.length);
  });

  it('shows what would change, what has to be entered again, and changes nothing before it is told to; a toast takes it back', async () => {
    const { user, fake, asked } = await open();
    fake.answer('document.open', async () => ({ kind: 'ready', token: TOKEN, file: 'mine.json', preview: preview() }));
    fake.answer('document.apply', async () => ({ kind: 'applied', preview: preview(), backup: 'b.json', undo: UNDO }));
    await user.click(screen.getByRole('button', { name: 'Import …' }));
    const dialog = await screen.findByRole('dialog', { name: 'Import this document?' });
    expect(dialog.textContent).toContain('mine.json');
    expect(within(dialog).getByText('2 changed')).toBeTruthy();
    expect(within(dialog).getByText('1 new, 1 removed')).toBeTruthy();
    expect(dialog.textContent).toMatch(/key entered again afterwards: Ada.*laptop/);
    expect(dialog.textContent).not.toContain('not your own');
    expect(asked('document.apply')).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Import' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(asked('document.undo')).toEqual([{ undo: UNDO }]));
    expect(await screen.findByText('Everything is as it was before.')).toBeTruthy();
  });

  it('asks for the password, says when it is wrong, and can go without', async () => {
    const { user, fake, asked } = await open();
    fake.answer('document.open', async () => ({ kind: 'locked', token: TOKEN, file: 'mine.json', preview: preview() }));
    fake.answer('document.unlock', async ({ password }) => (password === 'right horse' ? { kind: 'ready', token: TOKEN, file: 'mine.json', preview: preview({ needSecret: [], keysLost: [] }) } : { kind: 'wrong_password' }));
    await user.click(screen.getByRole('button', { name: 'Import …' }));
    const dialog = await screen.findByRole('dialog');
    const field = within(dialog).getByLabelText('Password', { selector: 'input' });
    await user.type(field, 'wrong horse{Enter}');
    expect(await within(dialog).findByText('This password does not open it.')).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Import without secrets' })).toBeTruthy();
    await user.clear(field);
    await user.type(field, 'right horse{Enter}');
    expect(await within(dialog).findByRole('button', { name: 'Import' })).toBeTruthy();
    expect(document.documentElement.outerHTML).not.toContain('right horse');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(asked('document.forget')).toEqual([{ token: TOKEN }]);
    expect(asked('document.apply')).toEqual([]);
  });

  it.each([['en', 'Import …', 'Too short: its length must be at least 1.'], ['zh', '导入…', '太短：至少 1 个字符。']] as const)('names every fault by its path in %s', async (language, button, words) => {
    const { user, fake } = await open(language);
    const faults: readonly DocumentFault[] = [{ path: 'upstreams[0].name', code: 'text_short', values: { min: 1 }, message: '' }, { path: 'routes[1].candidates[0].upstream', code: 'no_upstream', values: { id: '{{path}} $t(data.import)' }, message: '' }];
    fake.answer('document.open', async () => ({ kind: 'refused', file: 'bad.json', faults }));
    await user.click(screen.getByRole('button', { name: button }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText('upstreams[0].name')).toBeTruthy();
    expect(within(dialog).getByText(words)).toBeTruthy();
    // Words of a document are never filled in as a template.
    expect(dialog.textContent).toContain('{{path}} $t(data.import)');
  });

  it('says that nothing was changed when the disk refuses', async () => {
    const { user, fake } = await open();
    fake.answer('document.open', async () => ({ kind: 'ready', token: TOKEN, file: 'mine.json', preview: preview() }));
    fake.answer('document.apply', () => Promise.reject(new Error('full')));
    await user.click(screen.getByRole('button', { name: 'Import …' }));
    await user.click(await screen.findByRole('button', { name: 'Import' }));
    expect(await screen.findByText('The disk did not take it. Nothing was changed.')).toBeTruthy();
  });
});

describe('an export', () => {
  it('is without secrets unless a password is set, twice the same and long enough', async () => {
    const { user, fake, asked } = await open();
    fake.answer('document.export', async () => ({ kind: 'written', file: '/home/ada/x.json', secrets: 2, unreadable: ['Bob'] }));
    await user.click(screen.getByRole('button', { name: 'Export …' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('checkbox'));
    await user.type(within(dialog).getByLabelText('Password', { selector: 'input' }), 'short');
    await user.click(within(dialog).getByRole('button', { name: 'Export' }));
    expect(await within(dialog).findByText('At least 8 characters.')).toBeTruthy();
    expect(within(dialog).getByText('The two are not the same.')).toBeTruthy();
    expect(asked('document.export')).toEqual([]);
    await user.type(within(dialog).getByLabelText('Password', { selector: 'input' }), ' horse');
    await user.type(within(dialog).getByLabelText('Password again', { selector: 'input' }), 'short horse');
    await user.click(within(dialog).getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(asked('document.export')).toEqual([{ password: 'short horse' }]));
    expect(await screen.findByText(/x\.json, with 2 secrets, encrypted.*Bob/)).toBeTruthy();
    expect(document.documentElement.outerHTML).not.toContain('short horse');
  });

  it('without a password sends none', async () => {
    const { user, asked } = await open();
    await user.click(screen.getByRole('button', { name: 'Export …' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(asked('document.export')).toEqual([{ password: null }]));
  });
});

describe('backups', () => {
  it('are listed with their age, reason and size, made at once, and brought back after a look', async () => {
    const { user, fake, asked } = await open();
    expect(await screen.findByText('daily')).toBeTruthy();
    expect(screen.getByText('2 KiB')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Back up now' }));
    expect(await screen.findByText('by hand')).toBeTruthy();
    fake.answer('backups.open', async ({ name }) => ({ kind: 'ready', token: TOKEN, file: name, preview: preview({ mode: 'replace' }) }));
    const restore = screen.getAllByRole('button', { name: /^Restore the backup of/ });
    await user.click(restore.at(-1)!);
    const dialog = await screen.findByRole('dialog', { name: 'Restore this backup?' });
    expect(asked('backups.open')).toEqual([{ name: 'configuration-2026-11-30T12-00-00.000Z-daily.json' }]);
    expect(within(dialog).getByRole('button', { name: 'Restore' })).toBeTruthy();
  });
});

describe('a reset', () => {
  it('of the settings asks once and can be undone', async () => {
    const { user, asked } = await open();
    await user.click(screen.getByRole('button', { name: 'Reset settings' }));
    const dialog = await screen.findByRole('dialog', { name: 'Reset all settings?' });
    await user.click(within(dialog).getByRole('button', { name: 'Reset' }));
    await waitFor(() => expect(asked('data.reset')).toEqual([{ what: 'settings' }]));
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeTruthy();
  });

  it('of everything that stops half way does not say that nothing was changed', async () => {
    const { user, fake } = await open();
    fake.answer('data.reset', () => Promise.reject(new Error('disk full')));
    await user.click(screen.getByRole('button', { name: 'Reset everything' }));
    const dialog = await screen.findByRole('dialog');
    await user.type(within(dialog).getByRole('textbox'), 'reset');
    await user.click(within(dialog).getByRole('button', { name: 'Reset' }));
    expect(await screen.findByText(/Not everything could be removed/)).toBeTruthy();
  });

  it.each([['en', 'Reset everything', 'reset'], ['zh', '重置一切', '重置']] as const)('of everything wants a word typed, in %s', async (language, name, word) => {
    const { user, asked } = await open(language);
    await user.click(screen.getByRole('button', { name }));
    const dialog = await screen.findByRole('dialog');
    const button = within(dialog).getByRole<HTMLButtonElement>('button', { name: language === 'en' ? 'Reset' : '重置' });
    expect(button.disabled).toBe(true);
    await user.type(within(dialog).getByRole('textbox'), 'something{Enter}');
    expect(asked('data.reset')).toEqual([]);
    await user.clear(within(dialog).getByRole('textbox'));
    await user.type(within(dialog).getByRole('textbox'), word);
    await user.click(button);
    await waitFor(() => expect(asked('data.reset')).toEqual([{ what: 'everything' }]));
  });
});

describe('faults', () => {
  it.each(['en', 'zh'] as const)('have words for every code, kind and setting issue in %s', async (language) => {
    const i18n = createI18n(language);
    const format = formatterOf(language, i18n.t);
    const base = { path: 'x', values: { min: 1, max: 2, most: 3, mib: 4, count: 5, reason: 'scheme', id: 'a', place: 'b', allowed: 'c', kind: 'text' }, message: '' } as const;
    const issue = { key: 'gateway.port', path: '', given: '1', min: 1, max: 2, allowed: ['a'] };
    const faults: DocumentFault[] = [
      ...FAULT_CODES.map((code) => ({ ...base, code })),
      ...VALUE_KINDS.map((kind) => ({ ...base, code: 'missing' as const, values: { kind } })),
      ...(['unknown_key', 'too_small', 'too_big', 'not_whole', 'wrong_type', 'not_allowed', 'too_long', 'unknown_field', 'bad_pattern'] as const).map((reason) => ({ ...base, code: 'setting' as const, issue: { ...issue, reason } })),
    ];
    for (const fault of faults) expect(faultWords(fault, i18n.t, format), JSON.stringify(fault)).not.toMatch(/^fault\.|\{\{|^editor\./);
  });
});
