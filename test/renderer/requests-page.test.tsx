// The page of requests over a fake main: search, filters, columns, the drawer with all it holds, losses, keys (UI.md, Requests).
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { KeptContents } from '../../shared/contents.ts';
import type { LogPage, LogQuery } from '../../shared/log.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { attempt, exchange, NOON, retriedRow, running } from './support/rows.ts';
import type { FakeWorld } from './support/fake-bridge.ts';
import { openWindow, type TestWindow } from './support/window.tsx';

beforeEach(() => { localStorage.clear(); });

const settings = { ...defaultSettings(), 'app.language': 'en' as const };
const steps = { upstreamAdded: true, copied: true, requestAnswered: true, dismissed: true };

async function openRequests(part: Partial<FakeWorld> = {}, user: UserEvent = userEvent.setup()): Promise<TestWindow & { readonly user: UserEvent }> {
  const opened = openWindow({ settings, steps, ...part });
  await user.click(await screen.findByRole('button', { name: 'Requests' }));
  return { ...opened, user };
}

const asked = (window: TestWindow, name: string): readonly unknown[] => window.fake.asked.filter((one) => one.name === name).map((one) => one.argument);
const lists = (window: TestWindow) => (asked(window, 'requests.list') as LogQuery[]).filter(({ view }) => view === 'requests');
const lastFilter = (window: TestWindow) => lists(window).at(-1)?.filter;
const cell = (row: number, column: number) => within(screen.getAllByRole('row')[row] as HTMLElement).getAllByRole('gridcell')[column]?.textContent;
const drawer = () => screen.findByRole('complementary');

const ROWS = [
  exchange({ id: 'c', started_at: NOON + 2, model_asked: 'opus-5.5', session_id: 'sess-1', cost_micros: 4_200 }),
  exchange({ id: 'b', started_at: NOON + 1, model_asked: 'gpt-6', model_served: null, upstream: null, outcome: 'refused', status: 404, error_code: 'model_not_found', error_message: '[Holdfast] no such model', attempts: 0, detail: { attempts: [] }, input_tokens: null, output_tokens: null }),
  exchange({ id: 'a', started_at: NOON, client: 'Codex', key_name: 'phone', session_id: 'sess-1' }),
];

describe('search', () => {
  it('begins with / from anywhere, searches with each key, and gives the keyboard back to the list', async () => {
    const window = await openRequests({ rows: ROWS });
    await screen.findByRole('grid');
    await window.user.keyboard('/gpt');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    expect(lists(window).map(({ filter }) => filter.text)).toEqual([undefined, 'g', 'gp', 'gpt']);
    await window.user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('grid'));
    await window.user.keyboard('/{Escape}');
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(4));
  });

  it('shows hits at once and how far it is, goes on by itself, and says when nothing is found', async () => {
    const window = await openRequests({ rows: ROWS });
    await screen.findByRole('grid');
    const answers: ((page: LogPage) => void)[] = [];
    window.fake.answer('requests.list', () => new Promise((resolve) => { answers.push(resolve); }));
    await window.user.keyboard('/x');
    const next = { started_at: NOON, id: '' };
    await act(async () => answers[0]?.({ rows: [exchange({ id: 'x1', model_asked: 'x' })], next, scanned: { rows: 400, total: 1_000 }, superseded: false }));
    expect(await screen.findByText('1 found, 40% searched')).toBeTruthy();
    expect(screen.getByRole('progressbar', { name: 'How far the search is' })).toBeTruthy();
    expect(screen.getAllByRole('row')).toHaveLength(2);
    expect(lists(window).at(-1)).toMatchObject({ filter: { text: 'x' }, before: next });
    await act(async () => answers[1]?.({ rows: [], next: null, scanned: { rows: 1_000, total: 1_000 }, superseded: false }));
    expect(await screen.findByText('1 row')).toBeTruthy();
    // The answer to what was typed before comes late, and belongs to nothing.
    await window.user.keyboard('y');
    await window.user.keyboard('z');
    await act(async () => { answers[3]?.({ rows: [], next: null, scanned: { rows: 1_000, total: 1_000 }, superseded: false }); });
    await act(async () => { answers[2]?.({ rows: ROWS, next: null, scanned: null, superseded: true }); });
    expect(await screen.findByText('Nothing found for “xyz”')).toBeTruthy();
  });

  it('waits for the word while one is being composed', async () => {
    const window = await openRequests({ rows: ROWS });
    const field = await screen.findByRole('searchbox');
    fireEvent.compositionStart(field);
    fireEvent.change(field, { target: { value: 'ni' } });
    fireEvent.change(field, { target: { value: '你' } });
    fireEvent.compositionEnd(field);
    await waitFor(() => expect(lastFilter(window)).toEqual({ text: '你' }));
    expect(lists(window)).toHaveLength(2);
  });
});

describe('filters', () => {
  const choose = async (user: UserEvent, field: string, value: string) => {
    await user.click(screen.getByRole('tab', { name: new RegExp(`^${field}`), hidden: true }));
    await user.click(await screen.findByRole('checkbox', { name: value, hidden: true }));
  };

  it('narrow by everything there is, each as a chip that can be taken away, with the number of rows left', async () => {
    const window = await openRequests({ rows: ROWS });
    await window.user.click(await screen.findByRole('button', { name: 'Filter' }));
    await choose(window.user, 'Client', 'Codex');
    await choose(window.user, 'Key', 'phone');
    await choose(window.user, 'Upstream', 'anthropic');
    await choose(window.user, 'Model', 'opus-5.5');
    await choose(window.user, 'Status', '2xx');
    await choose(window.user, 'Outcome', 'answered');
    await waitFor(() => expect(lastFilter(window)).toEqual({ clients: ['Codex'], keys: ['phone'], upstreams: ['anthropic'], models: ['opus-5.5'], statusClasses: [2], outcomes: ['success'] }));
    expect(await screen.findByText('1 row')).toBeTruthy();
    expect(within(screen.getByRole('group', { name: 'Filter' })).getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent)).toEqual([
      'Remove filter: answered', 'Remove filter: 2xx', 'Remove filter: Upstream: anthropic', 'Remove filter: Model: opus-5.5', 'Remove filter: Client: Codex', 'Remove filter: Key: phone', 'Clear filter',
    ]);
    await window.user.click(screen.getByRole('button', { name: 'Remove filter: Client: Codex' }));
    await window.user.click(screen.getByRole('button', { name: 'Clear filter' }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(4));
  });

  it('narrow by time: lately, or between two moments that must make sense', async () => {
    const window = await openRequests({ rows: ROWS });
    await window.user.click(await screen.findByRole('button', { name: 'Filter' }));
    await window.user.click(screen.getByRole('tab', { name: /^Time/, hidden: true }));
    await window.user.click(screen.getByRole('radio', { name: 'Last hour', hidden: true }));
    await waitFor(() => expect(lastFilter(window)).toEqual({ from: expect.any(Number) as number }));
    expect(await screen.findByText('No request passes this filter')).toBeTruthy();
    await window.user.click(screen.getByRole('radio', { name: 'From … to …', hidden: true }));
    const from = screen.getByLabelText('From');
    fireEvent.change(from, { target: { value: 'soon' } });
    await window.user.click(screen.getByRole('button', { name: 'Apply', hidden: true }));
    expect(await screen.findByText('Write 2026-03-14, 2026-03-14 09:30 or 09:30.')).toBeTruthy();
    fireEvent.change(from, { target: { value: '2026-03-14' } });
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-03-15 12:00' } });
    await window.user.click(screen.getByRole('button', { name: 'Apply', hidden: true }));
    await waitFor(() => expect(lastFilter(window)).toEqual({ from: new Date(2026, 2, 14).getTime(), to: new Date(2026, 2, 15, 12).getTime() }));
    expect(screen.getByRole('button', { name: 'Remove filter: 2026-03-14 00:00 to 2026-03-15 12:00' })).toBeTruthy();
  });

  it('count "at least" where the log did not count to the end', async () => {
    const window = await openRequests({ rows: ROWS });
    window.fake.answer('requests.count', async () => ({ rows: 50_000, exact: false, superseded: false }));
    window.fake.answer('requests.list', async () => ({ rows: [...Array.from({ length: 300 }, (_, n) => exchange({ id: `r${900 - n}`, started_at: NOON - n, retries: 1 }))], next: { started_at: NOON - 300, id: 'r1' }, scanned: null, superseded: false }));
    await window.user.click(await screen.findByRole('button', { name: 'Filter' }));
    await window.user.click(screen.getByRole('checkbox', { name: 'Retried only', hidden: true }));
    expect(await screen.findByText('at least 50,000 rows')).toBeTruthy();
  });

  it('are obeyed by what comes in live', async () => {
    const window = await openRequests({ rows: ROWS });
    await window.user.keyboard('/codex');
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    window.tell('exchanges.events', [{ kind: 'started', id: 'n', row: running({ id: 'n', started_at: NOON + 9 }) }, { kind: 'started', id: 'o', row: running({ id: 'o', started_at: NOON + 10, client: 'Codex' }) }]);
    expect(screen.getAllByRole('row')).toHaveLength(3);
  });
});

describe('columns', () => {
  it('can be shown, hidden and sized by keyboard, are remembered, and set back', async () => {
    const window = await openRequests({ rows: ROWS });
    expect((await screen.findAllByRole('columnheader')).map((head) => head.title)).not.toContain('Key');
    expect(cell(1, 11)).toBe('$0.0042');
    expect(cell(3, 11)).toBe('–');
    await window.user.click(screen.getByRole('button', { name: 'Columns' }));
    await window.user.click(screen.getByRole('checkbox', { name: 'Key', hidden: true }));
    await window.user.click(screen.getByRole('checkbox', { name: 'Pause', hidden: true }));
    await window.user.click(screen.getByRole('button', { name: 'Wider: Model', hidden: true }));
    const titles = () => screen.getAllByRole('columnheader').map((head) => head.title);
    expect(titles()).toContain('Key');
    expect(titles()).not.toContain('Pause');
    expect(JSON.parse(localStorage.getItem('holdfast.requests.columns') ?? '')).toEqual({ shown: { key: true, pause: false }, widths: { model: 100 } });
    // Leaving and coming back finds them as they were.
    await window.user.click(screen.getByRole('button', { name: 'Overview' }));
    await window.user.click(screen.getByRole('button', { name: 'Requests' }));
    await screen.findByRole('grid');
    expect(titles()).toContain('Key');
    await window.user.click(screen.getByRole('button', { name: 'Columns' }));
    await window.user.click(screen.getByRole('button', { name: 'As at first', hidden: true }));
    expect(titles()).not.toContain('Key');
    expect(localStorage.getItem('holdfast.requests.columns')).toBeNull();
  });
});

describe('the drawer', () => {
  const contents: KeptContents = {
    method: 'POST', requestHeaders: [['x-api-key', '[masked]'], ['anthropic-version', '2023-06-01']], answerHeaders: [['content-type', 'application/json']],
    request: { bytes: 400_000, cut: true, text: '{"model":"opus-5.5","messages":[' }, answer: { bytes: 60, cut: false, text: '{"content":[{"type":"text","text":"hello to you"}]}' },
  };
  const openFirst = async (part: Partial<FakeWorld>) => {
    const window = await openRequests(part);
    (await screen.findByRole('grid')).focus();
    await window.user.keyboard('{Enter}');
    return { ...window, panel: await drawer() };
  };

  it('shows masked headers and kept bodies readably when they are opened, and says what was cut', async () => {
    const { user, panel } = await openFirst({ rows: ROWS, contents: { c: contents } });
    await user.click(await within(panel).findByText('Request headers'));
    expect(within(panel).getByText('[masked]')).toBeTruthy();
    await user.click(within(panel).getByText('Request body'));
    expect(within(panel).getByText('Cut off: the first 32 B of 390.6 KiB are kept.')).toBeTruthy();
    expect(within(panel).getByRole('region', { name: 'Request body' }).textContent).toContain('"model": "opus-5.5",');
    await user.click(within(panel).getByText('Answer body'));
    await user.click(within(panel).getByText('Text'));
    expect(within(panel).getByRole('region', { name: 'Answer body' }).textContent).toBe('hello to you');
  });

  it('draws only the lines in sight of a huge body', async () => {
    const huge = { bytes: 262_144, cut: false, text: `{"m":[${Array.from({ length: 30_000 }, (_, n) => n).join(',')}]}` };
    const { user, panel } = await openFirst({ rows: ROWS, contents: { c: { ...contents, request: huge } } });
    await user.click(await within(panel).findByText('Request body'));
    expect(within(panel).getByRole('region', { name: 'Request body' }).querySelectorAll('.hf-body-lines > div').length).toBeLessThan(100);
  });

  it('says why there are no bodies', async () => {
    const { panel } = await openFirst({ rows: ROWS, contents: { c: { ...contents, request: null, answer: null } } });
    expect(await within(panel).findByText('Bodies are not kept. Turn that on in Settings, Logs and privacy.')).toBeTruthy();
  });

  it('copies the request as curl without the key, and its id', async () => {
    const window = await openFirst({ rows: ROWS, contents: { c: { ...contents, request: { bytes: 20, cut: false, text: '{"model":"opus-5.5"}' } } } });
    await within(window.panel).findByText('Request headers');
    await window.user.click(within(window.panel).getByRole('button', { name: 'Copy as curl, without the key' }));
    await window.user.click(within(window.panel).getByRole('button', { name: 'Copy id' }));
    const [curl, id] = asked(window, 'clipboard.copy') as { text: string }[];
    expect(curl?.text).toBe("curl -N 'http://127.0.0.1:4653/v1/messages' \\\n  -H \"x-api-key: $HOLDFAST_KEY\" \\\n  -H 'anthropic-version: 2023-06-01' \\\n  --data-raw '{\"model\":\"opus-5.5\"}'");
    expect(id?.text).toBe('c');
  });

  it('shows the other requests of the session', async () => {
    const window = await openFirst({ rows: ROWS });
    await window.user.click(within(window.panel).getByRole('button', { name: 'Show session' }));
    await waitFor(() => expect(lastFilter(window)).toEqual({ sessionId: 'sess-1' }));
    await waitFor(() => expect(screen.getAllByRole('row').filter((row) => row.closest('[role=grid]'))).toHaveLength(3));
    expect(screen.getByRole('button', { name: 'Remove filter: Session: sess-1' })).toBeTruthy();
  });

  it('says what is unpriced and what was not told, and that attempts may have been billed', async () => {
    const { panel } = await openFirst({ rows: [retriedRow([2_000], { outcome: 'answered' })] });
    expect(within(panel).getByText('unpriced')).toBeTruthy();
    expect(within(panel).getByText(/The provider may have billed one attempt without a whole answer\./)).toBeTruthy();
  });

  it('takes thousands of attempts, of which two hundred are kept, in at a glance', async () => {
    const attempts = [...Array.from({ length: 100 }, (_, n) => n + 1), ...Array.from({ length: 100 }, (_, n) => n + 1_901)].map((n) => attempt({ n, round: n - 1, started_ms: n * 900, pause_ms: n === 1 ? null : 500, pause_reason: n === 1 ? null : 'backoff' }));
    const { user, panel } = await openFirst({ rows: [exchange({ outcome: 'failed', status: 503, retries: 1_999, attempts: 2_000, give_up: 'deadline', detail: { retries: 1_999, attempts } })] });
    expect(within(panel).getByText(/^2,000 attempts failed \(503 overloaded or down\)\. Sent again 1,999 times/)).toBeTruthy();
    const words = within(panel).getByRole('img').getAttribute('aria-label') ?? '';
    expect(words.split('. ')).toHaveLength(17);
    expect(words).toContain('1,984 more attempts between');
    await user.click(within(panel).getByRole('button', { name: 'Show all 200' }));
    expect(within(panel).getByText('1,800 attempts between are not kept')).toBeTruthy();
    expect(within(panel).getAllByRole('row')).toHaveLength(202);
  });

  it('closes with Esc, and the keyboard is where it was', async () => {
    const window = await openFirst({ rows: ROWS });
    within(window.panel).getByRole('button', { name: 'Copy id' }).focus();
    await window.user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('grid'));
  });
});

describe('a long list', () => {
  it('goes to its oldest row with End and back with Home, whatever lies between', async () => {
    const window = await openRequests({ rows: Array.from({ length: 3_000 }, (_, n) => exchange({ id: `r${9_000 - n}`, started_at: NOON - n * 1_000 })) });
    const grid = await screen.findByRole('grid');
    expect(await screen.findByText('3,000 rows')).toBeTruthy();
    grid.focus();
    await window.user.keyboard('{End}');
    fireEvent.scroll(grid);
    await waitFor(() => expect(grid.getAttribute('aria-activedescendant')).toBe('row-r6001'));
    expect(screen.getAllByRole('row').at(-1)?.getAttribute('aria-rowindex')).toBe('3001');
    expect(lists(window).length).toBeLessThan(8);
    await window.user.keyboard('{Home}');
    fireEvent.scroll(grid);
    await waitFor(() => expect(grid.getAttribute('aria-activedescendant')).toBe('row-r9000'));
  });
});

describe('the head of the page', () => {
  it('says how the last day went', async () => {
    const counts = { requests: 1_000, firstTry: 961, rescuedByRetry: 30, rescuedByFailover: 5, failed: 4, refused: 0, cancelled: 0, pauseMs: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, untold: 0, unpriced: 0, costMicros: 0 };
    await openRequests({ rows: ROWS, figures: (span) => ({ span, from: 0, to: 1, totals: counts, buckets: [], rejectedKeys: 0 }) });
    expect(await screen.findByText('1,000 in the last 24 hours, 96.1% at first try, 3.5% rescued, 0.4% failed')).toBeTruthy();
  });

  it('says what is missing from the log, as soon as main tells', async () => {
    const { tell } = await openRequests({ rows: ROWS });
    await screen.findByRole('grid');
    expect(screen.queryByText(/missing from this list/)).toBeNull();
    tell('log.status_changed', { rowsLost: 12, refusedNotWritten: 0, bodiesLost: 1, waiting: true, sizeBytes: 1 });
    expect(await screen.findByText('The disk does not take the log now: rows wait in memory and are written as soon as it does. 12 requests are missing from this list, because they could not be written. Headers and bodies of 1 request could not be written.')).toBeTruthy();
  });
});

describe('live rows', () => {
  it('come in as soon as they pass: a request that is sent again, under a filter for those', async () => {
    const window = await openRequests({ rows: ROWS });
    await screen.findByRole('grid');
    await window.user.click(screen.getByRole('button', { name: 'Filter' }));
    await window.user.click(screen.getByRole('checkbox', { name: 'Retried only', hidden: true }));
    await screen.findByText('No request passes this filter');
    const row = running({ id: 'r' });
    const asks = { kind: 'attempt_started', id: 'r', at: NOON, upstream: 'anthropic', model: 'm' } as const;
    act(() => window.fake.emit('exchanges.events', [{ kind: 'started', id: 'r', row }, { ...asks, n: 1, round: 0 }]));
    expect(screen.queryByRole('grid')).toBeNull();
    act(() => window.fake.emit('exchanges.events', [{ ...asks, n: 2, round: 1 }]));
    expect(screen.getAllByRole('row')).toHaveLength(2);
  });
});
