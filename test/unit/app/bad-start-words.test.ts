// SPEC 15: what stops a start, or an endpoint, is told in both languages with the place, the reason and what to do; every message is another one.
import { describe, expect, it } from 'vitest';
import { refusalText } from '../../../main/app/dialog-texts.ts';
import { createTexts } from '../../../main/app/i18n.ts';
import { refusalWords } from '../../../main/headless/words.ts';
import type { StoreRefusal } from '../../../main/store/protocol.ts';
import { formatterOf } from '../../../renderer/format.ts';
import { createI18n } from '../../../renderer/i18n.ts';
import { issueWords } from '../../../renderer/settings/issue-words.ts';
import { parseSetting } from '../../../shared/settings.ts';

const REFUSALS: readonly [StoreRefusal, readonly string[]][] = [
  [{ kind: 'newer_version', file: '/d/holdfast.db', found: 9, supported: 5 }, ['/d/holdfast.db']],
  [{ kind: 'not_writable', dataDir: '/d', reason: 'EACCES: permission denied' }, ['/d', 'EACCES', 'HOLDFAST_DATA_DIR']],
  [{ kind: 'disk_full', dataDir: '/d' }, ['/d']],
  [{ kind: 'locked', dataDir: '/d' }, ['/d']],
  [{ kind: 'failed', dataDir: '/d', reason: 'something else' }, ['/d', 'something else']],
];

describe.each(['en', 'zh'] as const)('in %s', (language) => {
  const { t } = createTexts(language);

  it.each(REFUSALS)('a start that is refused says why: %j', (refusal, parts) => {
    const text = refusalText(refusal, t);
    for (const part of parts) expect(text).toContain(part);
    expect(text).not.toMatch(/native\.|\{\{/);
    expect(/\p{Script=Han}/u.test(text)).toBe(language === 'zh');
  });

  it('each in words of its own', () => {
    expect(new Set(REFUSALS.map(([refusal]) => refusalText(refusal, t))).size).toBe(REFUSALS.length);
  });

  it('words that stand in a path or a reason are never filled in', () => {
    expect(refusalText({ kind: 'failed', dataDir: '/{{reason}}', reason: '$t(native.start.close) {{folder}}' }, t)).toContain('$t(native.start.close) {{folder}}');
  });

  it.each([80, 70_000, 1_024.5, 'x'] as const)('a port that cannot be is refused with the range: %j', (value) => {
    const parsed = parseSetting('gateway.port', value);
    if (parsed.ok) throw new Error('taken');
    const i18n = createI18n(language);
    const words = parsed.issues.map((issue) => issueWords(issue, i18n.t, formatterOf(language, i18n.t))).join(' ');
    expect(words).toMatch(/1024.*65535/);
    expect(/\p{Script=Han}/u.test(words)).toBe(language === 'zh');
  });

  it('a port that is in use, and one that may not be opened, are told with their number', () => {
    const i18n = createI18n(language);
    for (const key of ['problem.port_in_use', 'problem.port_forbidden', 'problem.address_unavailable']) {
      const words = i18n.t(key, { port: 4653 });
      expect(words).toContain('4653');
    }
    expect(i18n.t('shell.port_owned', { port: 4653, owner: 'node (12)' })).toMatch(/4653.*node \(12\)|node \(12\).*4653/);
  });
});

it('without a window each refusal has its sentence and its exit code', () => {
  expect(REFUSALS.map(([refusal]) => refusalWords(refusal).code)).toEqual([1, 1, 1, 3, 1]);
  for (const [refusal, [place]] of REFUSALS) expect(refusalWords(refusal).lines.join(' ')).toContain(place);
});
