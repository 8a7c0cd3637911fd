// The time line: nothing overlaps, nothing is lost, whatever the attempts (look/README: labels must never overlap bars).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSnapshot } from '../../renderer/live/in-flight.ts';
import { foldAttempts, lanesOf, layOut, ticksOf, type Box } from '../../renderer/requests/time-line-geometry.ts';
import type { AttemptRow } from '../../shared/log.ts';
import { answered, attempt, exchange, NOON, retriedRow, running } from './support/rows.ts';

const attempts = fc.array(fc.record({
  pause: fc.integer({ min: 0, max: 600_000 }), took: fc.integer({ min: 0, max: 600_000 }), queued: fc.constantFrom(0, 0, 1, 5_000), content: fc.option(fc.integer({ min: 0, max: 600_000 })),
  outcome: fc.constantFrom('answered', 'failed', 'truncated', 'cancelled'), where: fc.constantFrom('head', 'opening', 'connect', null),
}), { minLength: 1, maxLength: 40 }).map((all) => {
  let at = 0;
  return all.map((one, index): AttemptRow => {
    if (index > 0) at += one.pause + one.queued;
    const made = attempt({ n: index + 1, round: index, started_ms: at, duration_ms: one.took, outcome: one.outcome, where: one.where as AttemptRow['where'], first_content_ms: one.content, pause_ms: index === 0 ? null : one.pause, queued_ms: index === 0 ? 0 : one.queued });
    at += one.took;
    return made;
  });
});

const overlap = (a: Box, b: Box) => a.x < b.x + b.width - 1e-6 && b.x < a.x + a.width - 1e-6 && a.y < b.y + b.height - 1e-6 && b.y < a.y + a.height - 1e-6;

describe('the time line', () => {
  it('never lets a label or a bar cover another, nor leave the drawing', () => {
    fc.assert(fc.property(attempts, fc.integer({ min: 80, max: 1_200 }), (made, width) => {
      const layout = layOut(lanesOf(exchange({ detail: { attempts: made } }), undefined, NOON), width);
      const boxes = layout.lanes.flatMap((lane) => [lane.label, ...lane.bars]);
      for (const [index, box] of boxes.entries()) {
        expect(box.x).toBeGreaterThanOrEqual(-1e-6);
        expect(box.x + box.width).toBeLessThanOrEqual(width + 1e-6);
        expect(box.y + box.height).toBeLessThanOrEqual(layout.axisY);
        for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false);
      }
    }));
  });

  it('draws every attempt and every pause, each wide enough to be seen', () => {
    fc.assert(fc.property(attempts, (made) => {
      const layout = layOut(lanesOf(exchange({ detail: { attempts: made } }), undefined, NOON), 400);
      expect(layout.lanes).toHaveLength(made.length);
      expect(layout.lanes.flatMap((lane) => lane.bars).filter((bar) => bar.kind === 'pause')).toHaveLength(made.length - 1);
      for (const bar of layout.lanes.flatMap((lane) => lane.bars)) expect(bar.width).toBeGreaterThanOrEqual(3 - 1e-6);
    }));
  });

  it('keeps its axis labels apart', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 4_000_000 }), fc.integer({ min: 160, max: 1_200 }), (endMs, width) => {
      const ticks = ticksOf(endMs, width).map((ms) => (ms / endMs) * width);
      for (const [index, x] of ticks.entries()) if (index > 0) expect(x - (ticks[index - 1] ?? 0)).toBeGreaterThanOrEqual(60);
    }));
  });

  it('shows a failure in the opening as a held stretch that ends red, and an answer as held, then green', () => {
    const row = exchange({ detail: { attempts: [attempt({ where: 'opening', duration_ms: 1_000 }), answered({ n: 2, round: 1, started_ms: 3_000, pause_ms: 2_000, pause_reason: 'retry_after' })] } });
    const [first, second] = lanesOf(row, undefined, NOON);
    expect(first?.segments.map((one) => one.kind)).toEqual(['held', 'failed', 'pause']);
    expect(first?.pause).toEqual({ ms: 2_000, reason: 'retry_after', ended: true });
    expect(second?.segments).toEqual([{ kind: 'held', fromMs: 3_000, toMs: 3_800 }, { kind: 'answer', fromMs: 3_800, toMs: 6_000 }]);
  });

  it('goes on while the exchange runs: the pause up to its end, the attempt up to now', () => {
    const row = { ...retriedRow([2_000], {}), ...running(), detail: { attempts: [attempt()] } };
    const pause = { kind: 'pausing', id: row.id, upstreams: ['anthropic'], retry: 1, started: NOON + 400, retry_at: NOON + 2_400, until: NOON + 120_000, reason: 'backoff' } as const;
    const live = fromSnapshot([{ row, state: 'pausing', upstream: 'anthropic', retries: 0, pause }]).get(row.id);
    expect(lanesOf(row, live, NOON + 1_000)[0]?.segments.at(-1)).toEqual({ kind: 'pause', fromMs: 400, toMs: 2_400 });
    const sending = { ...live!, pause: null, pauseBefore: pause, running: { kind: 'attempt_started', id: row.id, at: NOON + 2_400, n: 2, round: 1, upstream: 'anthropic', model: 'm' } } as const;
    const lanes = lanesOf(row, sending, NOON + 5_000);
    expect(lanes[0]?.segments.at(-1)).toEqual({ kind: 'pause', fromMs: 400, toMs: 2_400 });
    expect(lanes[1]?.segments).toEqual([{ kind: 'running', fromMs: 2_400, toMs: 5_000 }]);
  });

  it('draws the time of attempts that are not kept as one stretch, and of very many only the ends', () => {
    const made = [1, 2, 1_901, 1_902].map((n) => attempt({ n, round: n - 1, started_ms: n * 1_000, duration_ms: 400, pause_ms: n === 1 ? null : 600, pause_reason: n === 1 ? null : 'backoff' }));
    const lanes = lanesOf(exchange({ detail: { attempts: made } }), undefined, NOON);
    expect(lanes.map((lane) => [lane.n, lane.missing])).toEqual([[1, 0], [2, 0], [3, 1_898], [1_901, 0], [1_902, 0]]);
    expect(lanes[2]?.segments).toEqual([{ kind: 'missing', fromMs: 2_400, toMs: 1_901_000 }]);
    const many = exchange({ detail: { attempts: Array.from({ length: 60 }, (_, n) => attempt({ n: n + 1, started_ms: n * 1_000 })) } });
    const folded = lanesOf(foldAttempts(many), undefined, NOON);
    expect([folded.length, folded.reduce((sum, lane) => sum + (lane.missing || 1), 0)]).toEqual([17, 60]);
    const few = exchange();
    expect(foldAttempts(few)).toBe(few);
  });

  it('draws the pause in which an exchange ended, up to its end', () => {
    const left = retriedRow([2_000], {}, { outcome: 'cancelled', status: 499, pause_ms: 11_000, duration_ms: 11_800, detail: { ...retriedRow([2_000], {}).detail, left_during: 'pause' } });
    const lanes = lanesOf(left, undefined, NOON);
    expect(lanes[0]?.pause).toEqual({ ms: 2_000, reason: 'backoff', ended: true });
    expect(lanes[1]?.pause).toEqual({ ms: 9_000, reason: null, ended: true });
    expect(lanes[1]?.segments.at(-1)).toEqual({ kind: 'pause', fromMs: 2_800, toMs: 11_800 });
    // Stood in line at the end, or ended with its last attempt: no pause.
    expect(lanesOf({ ...left, detail: { ...left.detail, left_during: 'queue' } }, undefined, NOON)[1]?.pause).toBeNull();
    expect(lanesOf(retriedRow([2_000], {}, { outcome: 'failed', give_up: 'deadline' }), undefined, NOON)[1]?.pause).toBeNull();
  });
});
