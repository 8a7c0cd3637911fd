// The overview over a fake main: figures and their states, the bars by keyboard, ways on to the requests, cost that is never made up (UI.md "Overview").
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { FIGURE_CUTS, type FigureCounts, type Figures, type FigureSpan } from '../../shared/figures.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { noFigures } from './support/fake-bridge.ts';
import { exchange, NOON, running } from './support/rows.ts';
import { openWindow } from './support/window.tsx';

const english = { ...defaultSettings(), 'app.language': 'en' as const };
const chinese = { ...defaultSettings(), 'app.language': 'zh' as const };
const quiet = { upstreamAdded: true, copied: true, requestAnswered: true, dismissed: true };
const COUNTS = { requests: 1_000, firstTry: 939, rescuedByRetry: 40, rescuedByFailover: 3, failed: 9, refused: 4, cancelled: 5, pauseMs: 4_320_000, inputTokens: 31_000_000, outputTokens: 900_000, cacheReadTokens: 24_000_000, cacheWriteTokens: 2_000_000, untold: 2, unpriced: 12, costMicros: 41_300_000 } satisfies FigureCounts;

/** Everything in the last bucket but one. */
function figuresOf(part: Partial<FigureCounts> = {}, rejectedKeys = 7) {
  return (span: FigureSpan): Figures => {
    const none = noFigures(span);
    const totals = { ...COUNTS, ...part };
    const place = FIGURE_CUTS[span].buckets - 2;
    return { ...none, totals, rejectedKeys, buckets: none.buckets.map((bucket, n) => (n === place ? { ...bucket, ...totals } : bucket)) };
  };
}

const tile = (name: string) => within(screen.getByText(name, { selector: '.hf-figure-name' }).closest('li') as HTMLElement);
const bars = () => screen.findByRole('slider', { name: 'What became of requests' });
const lastQuery = (fake: ReturnType<typeof openWindow>['fake']) => fake.asked.filter(({ name }) => name === 'requests.list').map(({ argument }) => argument as { view: string; filter: object }).findLast(({ view }) => view === 'requests')?.filter;

beforeEach(() => localStorage.clear());

describe('the figures', () => {
  it('say what became of requests, with what was rescued and who rejected keys', async () => {
    openWindow({ settings: english, steps: quiet, figures: figuresOf() });
    await bars();
    expect(tile('Requests').getByText('1,000')).toBeTruthy();
    expect(tile('Answered at first try').getByText('93.9%')).toBeTruthy();
    expect(tile('Answered at first try').getByText('939 of 1,000')).toBeTruthy();
    expect(tile('Rescued by retry').getByText('40')).toBeTruthy();
    expect(tile('Rescued by retry').getByText('would have failed; waited 1 h 12 min for you')).toBeTruthy();
    expect(tile('Rescued by failover').getByText('3')).toBeTruthy();
    // 4 of the 7 were refused by the gateway, and are no failures of an upstream.
    expect(tile('Failed').getByText('0.9% of all, 3 rejected keys')).toBeTruthy();
    expect(tile('Cancelled').getByText('4 refused')).toBeTruthy();
  });

  it('say the same in Chinese', async () => {
    openWindow({ settings: chinese, steps: quiet, figures: figuresOf() });
    expect(await screen.findByText('本会失败；替你等待了 1 小时 12 分钟')).toBeTruthy();
    expect(screen.getByText('占全部 0.9%，3 个密钥被拒')).toBeTruthy();
    expect(screen.getByRole('slider', { name: '请求的结果' }).getAttribute('aria-valuetext')).toMatch(/没有请求$/);
  });

  it('are never rounded up to all, nor down to none', async () => {
    openWindow({ settings: english, steps: quiet, figures: figuresOf({ requests: 10_000, firstTry: 9_999, rescuedByRetry: 0, rescuedByFailover: 0, failed: 1, refused: 0, cancelled: 0 }, 0) });
    await bars();
    expect(tile('Answered at first try').getByText('99.9%')).toBeTruthy();
    expect(tile('Failed').getByText('< 0.1% of all')).toBeTruthy();
  });

  it('are of the span that is chosen, which is remembered', async () => {
    const user = userEvent.setup();
    const { fake } = openWindow({ settings: english, steps: quiet, figures: figuresOf() });
    await bars();
    await user.click(screen.getByRole('radio', { name: '7 d' }));
    expect(await screen.findByRole('heading', { name: 'Last 7 days' })).toBeTruthy();
    expect(fake.asked.filter(({ name }) => name === 'figures.get').map(({ argument }) => argument)).toEqual([{ span: '24h' }, { span: '7d' }]);
    const later = openWindow({ settings: english, steps: quiet, figures: figuresOf() });
    await waitFor(() => expect(later.fake.asked.filter(({ name }) => name === 'figures.get').map(({ argument }) => argument)).toEqual([{ span: '7d' }]));
  });

  it('lead to the requests behind them', async () => {
    const user = userEvent.setup();
    const { fake } = openWindow({ settings: english, steps: quiet, figures: figuresOf(), rows: [exchange({ outcome: 'failed', status: 503 })] });
    await bars();
    await user.click(screen.getByRole('button', { name: 'Failed, 9: show these requests' }));
    await screen.findByRole('heading', { level: 1, name: 'Requests' });
    await waitFor(() => expect(lastQuery(fake)).toMatchObject({ outcomes: ['failed', 'truncated', 'interrupted'], from: expect.any(Number) as number }));
  });

  it('are asked for again when a request has ended, and only once for many', async () => {
    const { fake, tell } = openWindow({ settings: english, steps: quiet, figures: figuresOf() });
    await bars();
    const count = () => fake.asked.filter(({ name }) => name === 'figures.get').length;
    tell('exchanges.events', [{ kind: 'started', id: 'x', row: running({ id: 'x' }) }]);
    for (let n = 0; n < 20; n++) tell('exchanges.events', [{ kind: 'finished', id: `x${n}`, row: exchange({ id: `x${n}` }) }]);
    expect(count()).toBe(1);
    await waitFor(() => expect(count()).toBe(2));
  });
});

describe('their other states', () => {
  it('empty: says what will stand there, and shows no figure of nothing', async () => {
    openWindow({ settings: english, steps: quiet });
    expect(await screen.findByText('Nothing in this time')).toBeTruthy();
    expect(screen.queryByText('Answered at first try')).toBeNull();
    expect(screen.queryByRole('slider')).toBeNull();
  });

  it('loading: keeps their place', async () => {
    const { fake } = openWindow({ settings: english, steps: quiet });
    fake.answer('figures.get', () => new Promise(() => undefined));
    const card = within(await screen.findByRole('region', { name: 'Last 24 hours' }));
    expect(card.getByRole('status', { name: 'Loading' })).toBeTruthy();
  });

  it('failed: says so, leaves the rest of the page, and tries again', async () => {
    const user = userEvent.setup();
    const { fake } = openWindow({ settings: english, steps: quiet, figures: figuresOf() });
    fake.answer('figures.get', () => Promise.reject(new Error('gone')));
    expect(await screen.findByText('No answer from Holdfast')).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Address and key' })).toBeTruthy();
    fake.answer('figures.get', async ({ span }) => figuresOf()(span));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await bars()).toBeTruthy();
  });
});

describe('the bars', () => {
  it('are read with the arrow keys, and Enter shows the requests of one', async () => {
    const { fake } = openWindow({ settings: english, steps: quiet, figures: figuresOf(), rows: [exchange()] });
    const slider = await bars();
    const said = () => slider.getAttribute('aria-valuetext');
    expect(said()).toMatch(/no requests$/);
    fireEvent.keyDown(slider, { key: 'ArrowLeft' });
    expect(said()).toMatch(/: Answered at first try 939, Rescued by retry 40, Rescued by failover 3, Failed 9, Cancelled 5, Refused 4$/);
    fireEvent.keyDown(slider, { key: 'ArrowRight' });
    fireEvent.keyDown(slider, { key: 'ArrowRight' });
    expect(slider.getAttribute('aria-valuenow')).toBe('47');
    // There is nothing to show behind an empty bar.
    fireEvent.keyDown(slider, { key: 'Enter' });
    expect(screen.getByRole('heading', { level: 1, name: 'Overview' })).toBeTruthy();
    fireEvent.keyDown(slider, { key: 'Home' });
    expect(slider.getAttribute('aria-valuenow')).toBe('0');
    fireEvent.keyDown(slider, { key: 'End' });
    fireEvent.keyDown(slider, { key: 'ArrowDown' });
    fireEvent.keyDown(slider, { key: 'Enter' });
    await screen.findByRole('heading', { level: 1, name: 'Requests' });
    const { from, to } = noFigures('24h').buckets[46] ?? { from: 0, to: 0 };
    await waitFor(() => expect(lastQuery(fake)).toEqual({ from, to }));
  });

  it('stand as a table, too, without the empty times', async () => {
    const user = userEvent.setup();
    openWindow({ settings: english, steps: quiet, figures: figuresOf() });
    await bars();
    await user.click(screen.getByRole('radio', { name: 'Table' }));
    const table = within(await screen.findByRole('table'));
    expect(table.getAllByRole('row')).toHaveLength(2);
    expect(table.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['1,000', '939', '40', '3', '9', '5', '4']);
  });
});

describe('the cost', () => {
  const sums = async () => { await bars(); return within(screen.getByText('Cost').closest('div') as HTMLElement); };

  it('is told with how much of it is not known', async () => {
    const user = userEvent.setup();
    openWindow({ settings: english, steps: quiet, figures: figuresOf() });
    const cost = await sums();
    expect(cost.getByText('$41.30')).toBeTruthy();
    expect(cost.getByText(/^12 requests unpriced/)).toBeTruthy();
    expect(screen.getByText('24M read from cache, 2M written to it, 2 requests did not tell')).toBeTruthy();
    await user.click(cost.getByRole('button', { name: 'Set prices' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Prices' })).toBeTruthy();
  });

  it('is unpriced, not zero, when nothing has a price', async () => {
    openWindow({ settings: english, steps: quiet, figures: figuresOf({ costMicros: 0 }) });
    const cost = await sums();
    expect(cost.getByText('unpriced')).toBeTruthy();
    expect(cost.queryByText(/\$0/)).toBeNull();
  });

  it('is zero when all of it costs nothing, and nothing when there were no tokens', async () => {
    openWindow({ settings: english, steps: quiet, figures: figuresOf({ costMicros: 0, unpriced: 0 }) });
    expect((await sums()).getByText('$0.00')).toBeTruthy();
  });
});

describe('what ended lately', () => {
  it('stands there from the log, and goes on with what ends now', async () => {
    const { tell } = openWindow({ settings: english, steps: quiet, rows: [exchange({ id: 'a', started_at: NOON, model_asked: 'old-model' }), running({ id: 'b', started_at: NOON + 5 })] });
    const lately = within(await screen.findByRole('region', { name: 'Lately' }));
    expect(await lately.findByText('old-model')).toBeTruthy();
    tell('exchanges.events', [{ kind: 'finished', id: 'b', row: exchange({ id: 'b', started_at: NOON + 5, model_asked: 'new-model' }) }]);
    expect(lately.getAllByRole('listitem').map((item) => item.textContent)).toEqual([expect.stringContaining('new-model'), expect.stringContaining('old-model')]);
  });
});

describe('many in flight', () => {
  it('are counted beyond fifty, and those that wait stay at hand', async () => {
    const now = Date.now();
    openWindow({ settings: english, steps: quiet, inFlight: Array.from({ length: 60 }, (_, n) => ({
      row: running({ id: `f${n}`, started_at: now - 60_000 + n }), state: n === 59 ? 'pausing' as const : 'answering' as const, upstream: 'a', retries: 0,
      pause: n === 59 ? { kind: 'pausing' as const, id: 'f59', upstreams: ['a'], retry: 1, started: now, retry_at: now + 60_000, until: now + 100_000, reason: 'backoff' as const } : null,
    })) });
    expect(await screen.findByText('and 10 more')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Retry now: opus-5.5' })).toBeTruthy();
  });
});
