import { describe, expect, it } from 'vitest';
import { countsOf, table, total } from '../../scripts/lib/report.mjs';

const report = (...testResults: { status: string; assertionResults: { status: string }[] }[]) => JSON.stringify({ testResults });
const tests = (...statuses: string[]) => statuses.map((status) => ({ status }));

describe('the counts of a test run', () => {
  it('adds up the tests of all files by what became of them', () => {
    const json = report({ status: 'passed', assertionResults: tests('passed', 'passed', 'pending', 'todo') }, { status: 'failed', assertionResults: tests('failed', 'passed') });
    expect(countsOf(json, 1)).toEqual({ passed: 3, failed: 1, skipped: 2 });
  });

  it('counts a file that could not be loaded as a failure', () => {
    expect(countsOf(report({ status: 'failed', assertionResults: [] }), 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('counts a run that ended badly without a failed test, and one without a report, as a failure', () => {
    expect(countsOf(report({ status: 'passed', assertionResults: tests('passed') }), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(countsOf('', null)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('the report of all steps', () => {
  const steps = [
    { name: 'lint', ms: 1234, passed: 1, failed: 0, skipped: 0 },
    { name: 'unit', ms: 60_000, passed: 10, failed: 2, skipped: 3 },
    { name: 'clients', ms: 0, passed: 0, failed: 0, skipped: 0, why: 'no tests' },
  ];

  it('is one line for each step, the failed ones marked', () => {
    expect(table(steps).split('\n')).toEqual(['  lint        1.2 s  1 passed', 'x unit       60.0 s  10 passed, 2 failed, 3 skipped', '  clients     0.0 s  no tests']);
  });

  it('tells what a step has measured', () => {
    expect(table([{ name: 'package', ms: 0, passed: 2, failed: 0, skipped: 0, note: '7.4 MB' }])).toBe('  package     0.0 s  2 passed (7.4 MB)');
  });

  it('ends in one line that adds up every step', () => {
    expect(total(steps)).toBe('11 passed, 2 failed, 3 skipped');
  });
});
