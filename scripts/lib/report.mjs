/**
 * What came of one step: its time in ms and how many tests passed, failed and were skipped; `why` when it did not run, `note` when it measured something.
 * @typedef {{ name: string, ms: number, passed: number, failed: number, skipped: number, why?: string, note?: string }} Step
 */

/**
 * The counts in the JSON report of a test run. A file that could not be loaded has no tests in it and counts as one failure;
 * so does a run that ended badly although no test failed, and one that left no report.
 * @param {string} json the report, empty when there is none
 * @param {number | null} code the exit code of the run
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function countsOf(json, code) {
  if (json === '') return { passed: 0, failed: 1, skipped: 0 };
  /** @type {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} */
  const report = JSON.parse(json);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report.testResults) {
    for (const { status } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1;
      else if (status === 'failed') counts.failed += 1;
      else counts.skipped += 1;
    }
    if (file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed')) counts.failed += 1;
  }
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

/** @param {number} ms */
const secs = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** @param {Step} step */
const resultOf = ({ passed, failed, skipped, why, note }) => why ?? [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`].filter(Boolean).join(', ') + (note === undefined ? '' : ` (${note})`);

/**
 * One line for each step: name, time, result.
 * @param {Step[]} steps
 */
export function table(steps) {
  const width = Math.max(...steps.map(({ name }) => name.length));
  return steps.map((step) => `${step.failed > 0 ? 'x' : ' '} ${step.name.padEnd(width)}  ${secs(step.ms).padStart(8)}  ${resultOf(step)}`).join('\n');
}

/**
 * The last line of a run: all steps added up.
 * @param {Step[]} steps
 */
export function total(steps) {
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) => steps.reduce((all, step) => all + step[key], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`;
}
