// The page Upstreams over a fake main (UI.md, Upstreams; SPEC 2.3, 2.8, 9.4).
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { UpstreamHealth } from '../../shared/health.ts';
import { defaultSettings } from '../../shared/settings.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { TEST_STEPS, type TestStep } from '../../shared/upstream-test.ts';
import { DEMO, type FakeWorld } from './support/fake-bridge.ts';
import { openWindow } from './support/window.tsx';

const upstream = (name: string, part: Partial<Upstream> = {}): Upstream => ({ ...DEMO, id: name.toLowerCase(), name, preset: 'anthropic', baseUrl: 'https://api.anthropic.com', formats: ['anthropic'], credential: { kind: 'stored', hint: 'sk-...abcd' }, models: [], ...part });
const three = [upstream('Ada'), upstream('Bob'), upstream('Cy')];

async function open(part: Partial<FakeWorld> = {}) {
  const user = userEvent.setup();
  const made = openWindow({ settings: { ...defaultSettings(), 'app.language': 'en' }, steps: { upstreamAdded: true, copied: true, requestAnswered: true, dismissed: true }, ...part });
  await user.click(await screen.findByRole('button', { name: 'Upstreams' }));
  await screen.findByRole('heading', { level: 1, name: 'Upstreams' });
  const asked = (name: string) => made.fake.asked.filter((one) => one.name === name).map((one) => one.argument);
  return { ...made, user, asked };
}

const rows = () => within(screen.getByRole('list', { name: 'Upstreams' })).getAllByRole('listitem').map((row) => /Ada|Bob|Cy|Demo/.exec(row.textContent)?.[0]);

describe('the page Upstreams', () => {
  it('leads from nothing but the demo to the first upstream; a pasted key is trimmed, sent once, and gone from the page', async () => {
    const { user, asked } = await open({ upstreams: [DEMO] });
    expect(within(screen.getByRole('list', { name: 'Upstreams' })).getByText('demo')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'OpenAI' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add an upstream' });
    await user.click(within(dialog).getByRole('button', { name: 'Add' }));
    expect(within(dialog).getByText('Paste the API key.')).toBeTruthy();
    expect(asked('upstreams.add')).toEqual([]);
    await user.click(within(dialog).getByLabelText('API key'));
    await user.paste('  OPENAI_API_KEY="sk-secret-of-ada" ');
    expect(within(dialog).getByLabelText<HTMLInputElement>('API key').value).toBe('sk-secret-of-ada');
    await user.click(within(dialog).getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(asked('upstreams.add')).toEqual([expect.objectContaining({ preset: 'openai', base_url: 'https://api.openai.com', formats: ['responses', 'chat'], credential: { kind: 'stored', value: 'sk-secret-of-ada' } })]);
    expect(document.body.innerHTML).not.toContain('sk-secret-of-ada');
    expect(screen.getByText('OpenAI was added.')).toBeTruthy();
  });

  it('is put in order by the keyboard, says where an entry is now, and keeps the focus on it', async () => {
    const { user, asked } = await open({ upstreams: three });
    const grip = screen.getByRole('button', { name: 'Move Ada, place 1 of 3' });
    grip.focus();
    await user.keyboard('{ArrowDown}');
    await waitFor(() => expect(rows()).toEqual(['Bob', 'Ada', 'Cy']));
    expect(screen.getByText('Ada is now at place 2 of 3')).toBeTruthy();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Ada, place 2 of 3');
    await user.keyboard('{End}');
    await waitFor(() => expect(rows()).toEqual(['Bob', 'Cy', 'Ada']));
    await user.keyboard('{ArrowDown}');
    expect(asked('upstreams.reorder')).toEqual([{ ids: ['bob', 'ada', 'cy'] }, { ids: ['bob', 'cy', 'ada'] }]);
  });

  it('asks before it deletes, names the routes, and takes it back', async () => {
    const { user } = await open({ upstreams: three, routes: [{ id: 'r', pattern: 'claude-*', strategy: 'priority', candidates: [{ upstream: 'bob', model: null }], policy: null }] });
    await user.click(screen.getByRole('button', { name: 'More for Bob' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete', hidden: true }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Bob?' });
    expect(await within(dialog).findByText('claude-*')).toBeTruthy();
    expect(within(dialog).getByText('its only upstream')).toBeTruthy();
    expect(rows()).toHaveLength(3);
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(rows()).toEqual(['Ada', 'Cy']));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(rows()).toEqual(['Ada', 'Bob', 'Cy']));
  });

  it('keeps a saved key unless a new one is typed, and shows only its end', async () => {
    const { user, asked } = await open({ upstreams: three });
    const edit = async () => { await user.click(screen.getByRole('button', { name: 'Edit Ada' })); return screen.findByRole('dialog', { name: 'Edit Ada' }); };
    let dialog = await edit();
    expect(within(dialog).getByText('sk-...abcd')).toBeTruthy();
    await user.clear(within(dialog).getByLabelText('Base URL'));
    await user.type(within(dialog).getByLabelText('Base URL'), 'https://api.anthropic.com/v1/');
    expect(within(dialog).getByText('Saved as https://api.anthropic.com')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    dialog = await edit();
    await user.click(within(dialog).getByRole('button', { name: 'Replace' }));
    await user.type(within(dialog).getByLabelText('API key'), 'sk-other');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(asked('upstreams.update')).toHaveLength(2));
    expect(asked('upstreams.update')).toEqual([expect.objectContaining({ id: 'ada', upstream: expect.objectContaining({ credential: null }) as unknown }), expect.objectContaining({ upstream: expect.objectContaining({ credential: { kind: 'stored', value: 'sk-other' } }) as unknown })]);
  });

  it('asks before typed changes are thrown away', async () => {
    const { user } = await open({ upstreams: three });
    await user.click(screen.getByRole('button', { name: 'Edit Ada' }));
    const dialog = await screen.findByRole('dialog');
    await user.type(within(dialog).getByLabelText('Name'), '2');
    await user.keyboard('{Escape}');
    expect(await within(dialog).findByText('Your changes are not saved.')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
    expect(within(dialog).getByLabelText<HTMLInputElement>('Name').value).toBe('Ada2');
    await user.keyboard('{Escape}');
    await user.click(await within(dialog).findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(rows()).toEqual(['Ada', 'Bob', 'Cy']);
  });

  it('tests what is typed, step by step, and forgets the result when something is changed', async () => {
    const { user, fake, asked } = await open({ upstreams: three });
    fake.answer('upstreams.test', async () => ({
      ok: false, via: null, models: null,
      steps: TEST_STEPS.map((step): TestStep => ({ step, state: step === 'auth' ? 'failed' : step === 'models' || step === 'proxy' ? 'skipped' : 'passed', tookMs: 12, reason: step === 'auth' ? 'key_rejected' : step === 'models' ? 'not_reached' : step === 'proxy' ? 'not_needed' : null, detail: step === 'auth' ? '401 invalid x-api-key' : null, status: null })),
    }));
    await user.click(screen.getByRole('button', { name: 'Edit Ada' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Test' }));
    expect(await within(dialog).findByText('Failed at Key: the key was rejected')).toBeTruthy();
    expect(within(dialog).getByText('the key was rejected')).toBeTruthy();
    expect(within(dialog).getByText('401 invalid x-api-key')).toBeTruthy();
    expect(asked('upstreams.test')).toEqual([{ kind: 'draft', id: 'ada', upstream: expect.objectContaining({ credential: null, base_url: 'https://api.anthropic.com' }) as unknown }]);
    await user.type(within(dialog).getByLabelText('Base URL'), '/x');
    expect(within(dialog).getByText('Changed since the last test.')).toBeTruthy();
    expect(within(dialog).queryByText('the key was rejected')).toBeNull();
  });

  it('shows who rests and why, and wakes it', async () => {
    const figures = { attempts: 4, successShare: 0.5, retriedShare: 0, firstContentMs: 900, inFlight: 2 };
    const lastError = { at: Date.now(), model: 'm', class: 'auth', code: 'x', status: 401, message: 'no' } as const;
    const health: UpstreamHealth = { ...figures, lastError, upstreamId: 'bob', phase: 'closed', resting: true, models: [{ ...figures, lastError, model: 'm', phase: 'closed', openUntil: null, restUntil: Date.now() + 60_000, restReason: 'auth', failuresInRow: 1 }] };
    const { user, asked, tell } = await open({ upstreams: three, health: [health] });
    expect(await screen.findByText(/^key rejected until .*: m$/)).toBeTruthy();
    expect(screen.getByText(/^Last error .*: 401 key rejected$/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^Wake Bob/ }));
    expect(asked('health.reset')).toEqual([{ id: 'bob' }]);
    tell('health.changed', []);
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Wake Bob/ })).toBeNull());
  });

  it('hides the demo and brings it back', async () => {
    const { user, asked, tell } = await open({ upstreams: [...three, DEMO] });
    await user.click(screen.getByRole('button', { name: 'Hide' }));
    expect(asked('demo.set')).toEqual([{ shown: false }]);
    tell('upstreams.changed', three);
    await user.click(await screen.findByRole('button', { name: 'Bring it back' }));
    expect(asked('demo.set')).toEqual([{ shown: false }, { shown: true }]);
  });
});
