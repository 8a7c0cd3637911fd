import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import type { DocumentFault } from '../shared/document.ts';
import { compose, type App } from './compose.ts';
import { readArguments, USAGE, type HeadlessArguments } from './headless/arguments.ts';
import { readOverrides } from './headless/overrides.ts';
import { createSignalHandler } from './headless/signals.ts';
import { documentWords, EXIT, listenWords, refusalWords, type StartFailure } from './headless/words.ts';
import { unsealSecrets, type DocumentSecrets } from './store/document-secrets.ts';
import { faultOf } from './store/fault-words.ts';
import { parseDocumentText } from './store/import-document.ts';
import { systemClock } from './system/clock.ts';
import { createLog, standardError } from './system/log.ts';
import { systemRandom } from './system/random.ts';
import { createSecretFile } from './system/secret-file.ts';

// The gateway without a window (SPEC 18): the composition root for servers, tests and benchmarks. On stdout goes one line, when it listens.

const GRACE_MS = 30_000;
// What a process that is about to end still gives to the rows.
const LAST_WRITE_MS = 2_000;

const log = createLog(standardError());
/** How far the process is. */
const phase: { app: App | null; started: boolean; stopping: boolean; code: number } = { app: null, started: false, stopping: false, code: 0 };

function say(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`holdfast: ${line}\n`);
}

async function run(given: HeadlessArguments): Promise<StartFailure | null> {
  const dataDir = resolve(given.dataDir);
  const overrides = readOverrides(given, process.env);
  for (const warning of overrides.warnings) log.warn(warning);
  const composed = await compose({
    dataDir, secretBox: createSecretFile(join(dataDir, 'secrets.json')), clock: systemClock, random: systemRandom, log,
    version: packageJson.version, anyPort: true, override: overrides.apply,
  });
  if (composed.kind !== 'open') return refusalWords(composed);
  const { app } = composed;
  phase.app = app;
  const bad = given.importFile === null ? null : await importFrom(app, given.importFile);
  if (bad !== null) return bad;
  if (phase.stopping) return null;
  const state = await app.start(given.host === null ? {} : { host: given.host });
  if (state.status === 'failed') return listenWords(state);
  if (state.status === 'running') process.stdout.write(`${JSON.stringify({ event: 'listening', url: state.url, key: firstKey(app) })}\n`);
  return null;
}

async function importFrom({ store }: App, file: string): Promise<StartFailure | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return documentWords(file, [faultOf('', 'file_unreadable', { reason: error instanceof Error ? error.message : String(error) })]);
  }
  const parsed = parseDocumentText(text);
  if (!parsed.ok) return documentWords(file, parsed.faults);
  const secrets = await secretsIn(parsed.input);
  if ('faults' in secrets) return documentWords(file, secrets.faults);
  const outcome = await store.documents.import({ input: parsed.input, secrets: secrets.given, mode: 'merge' });
  if (outcome.kind === 'refused') return documentWords(file, outcome.faults);
  const { settings, upstreams, routes, keys, backup } = outcome;
  log.info('the document is in force', { settings, upstreams, routes, keys, backup });
  return null;
}

// Nobody can be asked here, and a password on the command line would stand in every list of processes.
async function secretsIn(input: unknown): Promise<{ readonly given: DocumentSecrets | null } | { readonly faults: readonly DocumentFault[] }> {
  const sealed = typeof input === 'object' && input !== null && 'secrets' in input ? input.secrets : undefined;
  if (typeof sealed !== 'string') return { given: null };
  const unsealed = await unsealSecrets(sealed, process.env['HOLDFAST_IMPORT_PASSWORD'] ?? '');
  if (unsealed.kind === 'open') return { given: unsealed.secrets };
  return { faults: [faultOf('secrets', unsealed.kind === 'unreadable' ? 'secrets_unreadable' : 'password')] };
}

function firstKey({ store }: App): string | null {
  const usable = store.keys.list().filter((key) => !key.disabled).map((key) => store.keys.valueOf(key.id));
  return usable.find((value) => value !== null) ?? null;
}

/** Ends everything in order, then the process, with the last code that any end has asked for; rows are written either way. */
async function end(code: number, graceMs: number): Promise<never> {
  phase.stopping = true;
  phase.code = code;
  const { app } = phase;
  if (app !== null) {
    await app.gateway.stop({ graceMs });
    await app.close();
  }
  process.exit(phase.code);
}

function endAtOnce(code: number): void {
  setTimeout(() => { process.exit(code); }, LAST_WRITE_MS);
  end(code, 0).catch(() => { process.exit(code); });
}

function fail(what: string, error: unknown): void {
  log.error(what, { reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  endAtOnce(EXIT.failed);
}

process.on('uncaughtException', (error) => { fail('uncaught exception', error); });
process.on('unhandledRejection', (reason) => { fail('unhandled rejection', reason); });
// Whoever started this may stop reading.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const reading = readArguments(process.argv.slice(2), process.env, process.platform);
switch (reading.kind) {
  case 'help':
    process.stdout.write(USAGE);
    break;
  case 'version':
    process.stdout.write(`${packageJson.version}\n`);
    break;
  case 'refused':
    say([reading.reason, ...USAGE.trimEnd().split('\n')]);
    process.exitCode = EXIT.badDocument;
    break;
  case 'run': {
    const onSignal = createSignalHandler({
      now: () => systemClock.now(),
      stop: () => {
        phase.stopping = true;
        log.info('stopping', { in_flight: phase.app?.gateway.inFlight().length ?? 0 });
        if (phase.started) void end(0, GRACE_MS);
      },
      hurry: () => { endAtOnce(EXIT.failed); },
    });
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, onSignal);
    const failure = await run(reading.arguments);
    phase.started = true;
    if (failure !== null) {
      say(failure.lines);
      await end(failure.code, 0);
    }
    if (phase.stopping) await end(0, 0);
  }
}
