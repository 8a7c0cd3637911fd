// `npm test`: sets everything up and runs every check and test there is; all run even when one fails. Names of steps choose some:
// `npm test -- lint unit`. With `--clients`: the tests with real clients alone, which are installed for them; without, those run only
// where the clients are already cached. With `--hard` besides: their tests that take minutes.
import { hasClients, installClients } from './lib/clients.mjs';
import { startDisplay } from './lib/display.mjs';
import { projectNode } from './lib/paths.mjs';
import { table, total } from './lib/report.mjs';
import { asScript, Fault, run } from './lib/run.mjs';
import { checks, plainTests, runCheck, runTests, windowTests } from './lib/steps.mjs';
import { ensureElectron } from './electron-runtime.mjs';
import { setUp } from './setup.mjs';

/** @typedef {import('./lib/report.mjs').Step} Step */

const ALL = [...checks, ...plainTests, ...windowTests];

const FLAGS = ['--clients', '--hard'];

/** @type {Step[]} */
const steps = [];

/** @param {Step & { output: string }} step */
function tell({ output, ...step }) {
  steps.push(step);
  console.log(table([step]));
  if (step.failed > 0) console.log(`\n${output.trim()}\n`);
}

/**
 * The static checks, two at a time: each keeps one core busy.
 * @param {string[]} names
 */
async function runChecks(names) {
  const waiting = [...names];
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) tell(await runCheck(name));
  };
  await Promise.all([lane(), lane()]);
}

/**
 * The tests in the real app, on a display of their own where this is Linux, so that no window disturbs anyone.
 * @param {string[]} names
 * @param {boolean} hard
 */
async function runWindowTests(names, hard) {
  if (names.length === 0) return;
  /** @type {Awaited<ReturnType<typeof startDisplay>> | null} */
  let screen = null;
  try {
    if (process.platform === 'linux') screen = await startDisplay();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    for (const name of names) tell({ name, ms: 0, passed: 0, failed: 1, skipped: 0, output: error.message });
    return;
  }
  for (const name of names) {
    if (name === 'clients' && !hasClients()) tell({ name, ms: 0, passed: 0, failed: 0, skipped: 0, why: 'not run: "npm run test:clients" installs the clients', output: '' });
    else tell(await runTests(name, { ...(hard && { HOLDFAST_HARD: '1' }), ...(screen && { DISPLAY: screen.display }) }));
  }
  screen?.stop();
}

await asScript(async () => {
  const started = Date.now();
  const named = process.argv.slice(2);
  const unknown = named.find((name) => ![...ALL, ...FLAGS].includes(name));
  if (unknown !== undefined) throw new Fault(`there is no step "${unknown}"; the steps are ${ALL.join(', ')}.`);
  const names = named.filter((name) => !FLAGS.includes(name));
  const asked = named.includes('--clients') ? ['clients'] : names.length > 0 ? names : ALL;
  const chosen = asked.some((name) => windowTests.includes(name)) ? ['build', ...asked] : asked;
  // The build is a step of its own here: when it fails, all else still runs.
  await setUp({ build: [], electron: 'tests' });
  if (named.includes('--clients')) await installClients();
  const electron = await ensureElectron();
  const node = await run(projectNode, ['--version']);
  const runtimes = `Node ${node.output.trim().slice(1)}, Electron ${electron.version} (${electron.kind === 'official' ? 'the official one' : 'the one in the npm registry'})`;
  console.log(`${runtimes}; set-up took ${((Date.now() - started) / 1000).toFixed(1)} s`);
  await runChecks(checks.filter((name) => chosen.includes(name)));
  for (const name of plainTests) if (chosen.includes(name)) tell(await runTests(name));
  await runWindowTests(windowTests.filter((name) => chosen.includes(name)), named.includes('--hard'));
  console.log(`\n${table(steps)}\n\nRan on ${runtimes} in ${((Date.now() - started) / 1000).toFixed(0)} s.\n${total(steps)}`);
  return steps.some(({ failed }) => failed > 0) ? 1 : 0;
});
