// The words and the drawing of the schedule come from the functions that decide (UI.md, Routing strategy; SPEC 8.2-8.4).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutSchedule } from '../../renderer/settings/gateway/routing-strategy/schedule-geometry.ts';
import { countRetries, scheduleWords } from '../../renderer/settings/gateway/routing-strategy/schedule-words.ts';
import { resolvePolicy, schedule } from '../../shared/backoff.ts';
import { RETRY_PRESETS, type RetryPreset } from '../../shared/policy.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { speak } from './support/words.ts';

const policy = (secs: number, preset: RetryPreset = 'patient') => resolvePolicy({ ...defaultSettings(), 'gateway.retry_wait_secs': secs, 'gateway.retry_preset': preset }, null);
const when = (secs: number, preset?: RetryPreset, language: 'en' | 'zh' = 'en') => scheduleWords(policy(secs, preset), ...speak(language)).when;

describe('the schedule in words', () => {
  it.each([
    [120, 'Up to 9 retries, at about 2, 6, 14 s, then every 16 s, the last at 110 s.', '最多重试 9 次：约在第 2、6、14 秒，之后每 16 秒一次，最后一次约在第 110 秒。'],
    [20, 'Up to 3 retries, at about 2, 6, and 14 s.', '最多重试 3 次，约在第 2、6、14 秒。'],
    [3, '1 retry, at about 1.5 s.', '最多重试 1 次，约在第 1.5 秒。'],
    [0, 'Retrying is off. A failure goes straight back to your tool; other upstreams are still tried first.', '重试已关闭。失败会直接返回工具，但仍会先故障转移到其他上游。'],
  ])('for a wait of %i s', (secs, en, zh) => {
    expect(when(secs)).toBe(en);
    expect(when(secs, 'patient', 'zh')).toBe(zh);
  });

  it('says that the preset off sends nothing again, whatever the wait', () => {
    expect(when(120, 'off')).toBe(when(0));
  });

  it('names the spread, and the range of retries it leaves possible', () => {
    const { more } = scheduleWords(policy(120), ...speak('en'));
    expect(more[0]).toContain('±20%');
    expect(more[0]).toContain(`${countRetries(policy(120), 1)} to ${countRetries(policy(120), 0)} retries`);
  });

  it('says what a time named by the upstream changes: replaced when followed, a floor otherwise', () => {
    expect(scheduleWords(policy(120), ...speak('en')).more.join(' ')).toContain('asked then instead');
    expect(scheduleWords(policy(120, 'constant'), ...speak('en')).more.join(' ')).toContain('never asked earlier');
  });

  it('counts as the gateway would, between the shortest and the longest pauses', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 600 }), fc.constantFrom(...RETRY_PRESETS.filter((one) => one !== 'off')), (secs, preset) => {
      const middle = schedule(policy(secs, preset), { limit: 200 }).length;
      expect(countRetries(policy(secs, preset), 0)).toBeGreaterThanOrEqual(middle);
      expect(countRetries(policy(secs, preset), 1)).toBeLessThanOrEqual(middle);
    }));
  });
});

describe('the schedule chart', () => {
  it('gives each retry a row of its own inside the plot, with its spread left of the deadline', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 600 }), fc.constantFrom(...RETRY_PRESETS.filter((one) => one !== 'off')), fc.integer({ min: 160, max: 1_000 }), (secs, preset, width) => {
      const retries = schedule(policy(secs, preset), { limit: 200 });
      const layout = layOutSchedule(retries, secs * 1_000, width);
      for (const [index, row] of layout.rows.entries()) {
        const above = layout.rows[index - 1];
        if (above !== undefined) expect(row.y - row.height / 2).toBeGreaterThanOrEqual(above.y + above.height / 2 - 1e-6);
        expect(row.from).toBeLessThanOrEqual(row.x + 1e-6);
        expect(row.x).toBeLessThanOrEqual(row.to + 1e-6);
        expect(row.to).toBeLessThanOrEqual((layout.deadlineX ?? layout.plot.right) + 1e-6);
        expect(row.y).toBeLessThan(layout.plot.bottom);
      }
    }));
  });
});
