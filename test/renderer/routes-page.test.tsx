// The page Routes over a fake main (UI.md, Routes; SPEC 9.1, 9.2, 9.6).
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { DryRun, DryRunRequest } from '../../shared/dry-run.ts';
import { retryPolicySchema } from '../../shared/policy.ts';
import type { Route } from '../../shared/route.ts';
import { defaultSettings } from '../../shared/settings.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { DEMO, type FakeWorld } from './support/fake-bridge.ts';
import { answered, attempt, exchange } from './support/rows.ts';
import { openWindow } from './support/window.tsx';

const upstream = (name: string, part: Partial<Upstream> = {}): Upstream => ({ ...DEMO, id: name.toLowerCase(), name, preset: 'anthropic', formats: ['anthropic'], models: [], ...part });
const upstreams = [upstream('Ada'), upstream('Bob'), upstream('Cy', { enabled: false })];
const routes: readonly Route[] = [
  { id: 'r1', pattern: 'claude-*', strategy: 'priority', candidates: [{ upstream: 'ada', model: null }, { upstream: 'bob', model: 'other' }], policy: { preset: 'patient', retry_wait_secs: 300 } },
  { id: 'r2', pattern: 'claude-opus', strategy: 'random', candidates: [{ upstream: 'cy', model: null }], policy: null },
];

const dryRun = ({ model }: DryRunRequest): DryRun => ({
  route: { id: 'r1', pattern: 'claude-*', strategy: 'priority' },
  candidates: [{ upstreamId: 'ada', name: 'Ada', model, place: 'candidate', resting: false }, { upstreamId: 'bob', name: 'Bob', model: 'other', place: 'candidate', resting: true }, { upstreamId: 'cy', name: 'Cy', model, place: 'disabled', resting: false }],
  steps: [{ kind: 'attempt', atMs: 0, n: 1, round: 0, upstream: 'Ada', model, bypass: false }, { kind: 'failed', atMs: 250, n: 1, upstream: 'Ada', class: 'transient', code: 'x', status: 503, where: 'head', then: 'failover' }, { kind: 'end', atMs: 3_000, outcome: 'success', status: 200, giveUp: null, code: null, message: null }],
  attempts: [attempt({ upstream: 'Ada', model, duration_ms: 250 }), answered({ n: 2, upstream: 'Bob', model: 'other', started_ms: 250 })],
  policy: { ...retryPolicySchema.parse({}), enabled: true, deadlineMs: 120_000 }, pauseMs: 0, durationMs: 3_250,
});

async function open(part: Partial<FakeWorld> = {}) {
  const user = userEvent.setup();
  const rows = ['claude-opus', 'claude-haiku', 'gpt-5'].map((model_asked, n) => exchange({ id: `x${n}`, model_asked }));
  const made = openWindow({ settings: { ...defaultSettings(), 'app.language': 'en' }, steps: { upstreamAdded: true, copied: true, requestAnswered: true, dismissed: true }, upstreams, routes, rows, ...part });
  made.fake.answer('routes.preview', async ({ pattern, id }) => ['claude-opus', 'claude-haiku', 'gpt-5'].map((model) => ({ model, matches: pattern === '*' || model.startsWith(pattern.replace(/\*$/, '')), takenBy: id === null && model.startsWith('claude') ? 'r1' : null })));
  made.fake.answer('routes.dry_run', async (request) => dryRun(request));
  await user.click(await screen.findByRole('button', { name: 'Routes' }));
  await screen.findByRole('heading', { level: 1, name: 'Routes' });
  const asked = (name: string) => made.fake.asked.filter((one) => one.name === name).map((one) => one.argument);
  return { ...made, user, asked };
}

const list = () => screen.findByRole('list', { name: 'Routes' });

describe('the page Routes', () => {
  it('shows pattern, strategy, candidates with their models, override; a route that is never reached, and the last one as what it is', async () => {
    await open();
    const rows = [...(await list()).children].map((row) => row.textContent);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/claude-\*In orderAdaBobotherPatient, 300 s/);
    expect(rows[1]).toMatch(/claude-opusnever reachedAt randomCyoffas in Settings/);
    expect(rows[2]).toMatch(/\*everything elseIn orderall enabled upstreams, in their orderAda, Bobas in Settings/);
    expect(screen.queryByRole('button', { name: 'Move *, place 3 of 3' })).toBeNull();
  });

  it('says which of the last models a pattern matches while it is typed, and saves what was put together', async () => {
    const { user, asked } = await open();
    await user.click(await screen.findByRole('button', { name: 'Add route' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add a route' });
    await user.type(within(dialog).getByLabelText('Model pattern'), 'claude-*');
    expect(await within(dialog).findByText('Matches 2 of your 3 last models')).toBeTruthy();
    expect(within(dialog).getByText('2 of them go to a route ahead.')).toBeTruthy();
    await user.clear(within(dialog).getByLabelText('Model pattern'));
    await user.type(within(dialog).getByLabelText('Model pattern'), 'gpt-*');
    expect(await within(dialog).findByText('Matches 1 of your 3 last models')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Add upstream' }));
    await user.type(within(dialog).getByLabelText('Model upstream 2 is asked for'), 'big');
    within(dialog).getByRole('button', { name: 'Move Bob, place 2 of 2' }).focus();
    await user.keyboard('{ArrowUp}');
    await user.click(within(dialog).getByRole('button', { name: 'Add route' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(asked('routes.save')).toEqual([{ id: null, pattern: 'gpt-*', strategy: 'priority', candidates: [{ upstream: 'bob', model: 'big' }, { upstream: 'ada', model: null }], policy: null }]);
    expect((await list()).children).toHaveLength(4);
  });

  it('refuses a route that leads nowhere', async () => {
    const { user, asked } = await open();
    await user.click(await screen.findByRole('button', { name: 'Add route' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Remove upstream 1' }));
    await user.click(within(dialog).getByRole('button', { name: 'Add route' }));
    expect(within(dialog).getByText('Type a model name or a pattern.')).toBeTruthy();
    expect(within(dialog).getByText('A route needs at least one upstream.')).toBeTruthy();
    expect(asked('routes.save')).toEqual([]);
  });

  it('is put in order by the keyboard', async () => {
    const { user, asked } = await open();
    (await screen.findByRole('button', { name: 'Move claude-opus, place 2 of 2' })).focus();
    await user.keyboard('{ArrowUp}');
    await waitFor(() => expect(asked('routes.reorder')).toEqual([{ ids: ['r2', 'r1'] }]));
    // Now it is reached.
    await waitFor(() => expect(screen.queryByText('never reached')).toBeNull());
  });

  it('asks before it deletes, and takes it back', async () => {
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'More for claude-*' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete', hidden: true }));
    await user.click(within(await screen.findByRole('dialog', { name: 'Delete the route claude-*?' })).getByRole('button', { name: 'Delete' }));
    await waitFor(async () => expect((await list()).children).toHaveLength(2));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect((await list()).children).toHaveLength(3));
  });

  it('runs dry as soon as something is chosen, and shows route, time line and every decision', async () => {
    const { user, asked } = await open();
    expect(await screen.findByText('Ada failed once (503 overloaded or down), so the next upstream was asked. Bob answered instead.')).toBeTruthy();
    expect(screen.getByRole('img').getAttribute('aria-label')).toContain('Attempt 1 at Ada: 503 overloaded or down');
    expect(within(screen.getByRole('list', { name: 'Decisions' })).getAllByRole('listitem').map((row) => row.textContent)).toEqual(['0.0 sAttempt 1: asks Ada for claude-opus', '0.3 sAda: 503 overloaded or down. The next upstream is asked.', '3.0 sAnswered, 200']);
    expect(screen.getByText('Ada → Bob (other)')).toBeTruthy();
    expect(screen.getByText('Cy: switched off')).toBeTruthy();
    const first = asked('routes.dry_run').at(-1);
    expect(first).toEqual({ model: 'claude-opus', format: 'anthropic', streamed: true, health: 'fresh', answers: [{ upstream: 'ada', answers: [{ kind: 'status', status: 503 }, { kind: 'status', status: 503 }, { kind: 'answer', after_ms: 1_000 }] }] });

    const status = screen.getByLabelText('Status of answer 1 of Ada');
    await user.clear(status);
    await user.type(status, '401');
    await user.click(screen.getByText('not streamed'));
    await waitFor(() => expect(asked('routes.dry_run').at(-1)).toMatchObject({ streamed: false, answers: [{ upstream: 'ada', answers: [{ kind: 'status', status: 401 }, {}, {}] }] }));
    await user.clear(status);
    await user.type(status, '700');
    expect(await screen.findByText('One of the numbers is out of range')).toBeTruthy();
  });

  it('without routes of one’s own says that none is needed', async () => {
    await open({ routes: [] });
    expect(await screen.findByText('No routes of your own.')).toBeTruthy();
    expect((await list()).children).toHaveLength(1);
  });

  it('without upstreams leads to the page that has them', async () => {
    const { user } = await open({ upstreams: [], routes: [] });
    await user.click(await screen.findByRole('button', { name: 'Go to Upstreams' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Upstreams' })).toBeTruthy();
  });
});
