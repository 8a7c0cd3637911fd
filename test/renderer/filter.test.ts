// What the list is narrowed to: as a value, as the log takes it, and judged on live rows (UI.md, Requests).
import { describe, expect, it } from 'vitest';
import { isNarrowed, NO_FILTER, parseMoment, passes, toggled, toLogFilter, withFields, writeMoment } from '../../renderer/requests/filter.ts';
import type { LogFilter } from '../../shared/log.ts';
import { attempt, exchange, NOON, running } from './support/rows.ts';

describe('a filter', () => {
  it('gains and loses entries, and keeps no empty field', () => {
    const one = toggled(NO_FILTER, 'outcomes', 'failed');
    const two = toggled(one, 'outcomes', 'refused');
    expect(two).toEqual({ outcomes: ['failed', 'refused'] });
    expect(toggled(toggled(two, 'outcomes', 'failed'), 'outcomes', 'refused')).toEqual(NO_FILTER);
    expect(withFields({ text: 'a', retriedOnly: true }, { text: '', retriedOnly: false })).toEqual({});
    expect([isNarrowed(NO_FILTER), isNarrowed(one)]).toEqual([false, true]);
  });

  it('becomes a filter of the log, with a range that counts back from now', () => {
    expect(toLogFilter({ range: { kind: 'last', span: '24h' }, text: 'x' }, NOON)).toEqual({ text: 'x', from: NOON - 86_400_000 });
    expect(toLogFilter({ range: { kind: 'between', from: 1, to: null } }, NOON)).toEqual({ from: 1 });
    expect(toLogFilter({ range: { kind: 'between', from: null, to: 2 } }, NOON)).toEqual({ to: 2 });
  });

  const row = exchange({ key_name: 'laptop', session_id: 'sess-1', status: 499, outcome: 'cancelled', retries: 1, attempts: 2, model_asked: 'opus', model_served: 'opus-5.5', error_code: 'client.left', error_message: '上游过载 Überlast', detail: { attempts: [attempt({ code: 'slow_down', message: 'Try later' })] } });
  const fields: readonly [LogFilter, boolean][] = [
    [{}, true], [{ outcomes: ['failed', 'cancelled'] }, true], [{ outcomes: ['failed'] }, false], [{ retriedOnly: true }, true],
    [{ upstreams: ['anthropic'] }, true], [{ upstreams: ['openai'] }, false], [{ models: ['opus'] }, true], [{ models: ['opus-5.5'] }, true], [{ models: ['OPUS'] }, false],
    [{ clients: ['Claude Code'] }, true], [{ keys: ['laptop'] }, true], [{ keys: ['phone'] }, false], [{ statusClasses: [4] }, true], [{ statusClasses: [2, 5] }, false], [{ errorCodes: ['client.left'] }, true],
    [{ sessionId: 'sess-1' }, true], [{ sessionId: 'sess' }, false], [{ from: NOON, to: NOON + 1 }, true], [{ from: NOON + 1 }, false], [{ to: NOON }, false],
    [{ text: '过' }, true], [{ text: 'überLAST' }, true], [{ text: 'SESS-1' }, true], [{ text: 'v1/mess' }, true], [{ text: 'slow_down' }, true], [{ text: 'try later' }, true], [{ text: 'laptop' }, false], [{ text: '100%' }, false],
    [{ outcomes: ['cancelled'], upstreams: ['openai'] }, false],
  ];
  it.each(fields)('%j judges a live row as the log does: %s', (filter, verdict) => {
    expect(passes(filter, row)).toBe(verdict);
  });

  it('leaves rows in flight out where it asks for an outcome or a status', () => {
    expect([passes({ outcomes: ['success'] }, running()), passes({ statusClasses: [2] }, running()), passes({ clients: ['Claude Code'] }, running())]).toEqual([false, false, true]);
  });
});

describe('a moment typed by hand', () => {
  const now = new Date(2026, 2, 14, 18, 0).getTime();
  it.each([
    ['2026-03-14', new Date(2026, 2, 14)], ['2026-3-4 9:05', new Date(2026, 2, 4, 9, 5)], ['2026-03-14T09:30:15', new Date(2026, 2, 14, 9, 30, 15)], [' 09:30 ', new Date(2026, 2, 14, 9, 30)],
  ])('%s is read', (text, meant) => { expect(parseMoment(text, now)).toBe(meant.getTime()); });

  it.each(['', ' ', 'yesterday', '2026-02-31', '2026-13-01', '24:00', '12:60', '14/03/2026'])('%j is refused', (text) => { expect(parseMoment(text, now)).toBeNull(); });

  it('reads what it writes', () => {
    expect(parseMoment(writeMoment(now), 0)).toBe(now);
  });
});
