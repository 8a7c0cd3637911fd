import { expect, test } from 'vitest';
import { resolvePolicy } from '../../shared/backoff.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { readArguments, type HeadlessArguments } from '../../main/headless/arguments.ts';
import { readOverrides } from '../../main/headless/overrides.ts';
import { createSignalHandler } from '../../main/headless/signals.ts';
import { listenWords } from '../../main/headless/words.ts';

const read = (argv: readonly string[], environment: Record<string, string> = { HOLDFAST_DATA_DIR: '/env' }, platform: NodeJS.Platform = 'linux') => readArguments(argv, environment, platform);

// SPEC 18.1
test('every argument is read, in both spellings', () => {
  expect(read(['--data-dir', '/d', '--port=0', '--import', 'f.json', '--host', '192.168.1.5', '--no-retry'])).toEqual({
    kind: 'run', arguments: { dataDir: '/d', port: 0, host: '192.168.1.5', importFile: 'f.json', noRetry: true },
  });
  expect(read([])).toEqual({ kind: 'run', arguments: { dataDir: '/env', port: null, host: null, importFile: null, noRetry: false } });
  expect([read(['--help']), read(['-h']), read(['--version'])].map((reading) => reading.kind)).toEqual(['help', 'help', 'version']);
});

test.each([
  [['--port', '80'], /--port cannot be "80": allowed is 1024 to 65535/], [['--port', '65536'], /65535/], [['--port', ''], /--port/], [['--port', '4653x'], /--port/],
  [['--port'], /port/], [['--host', 'example.com'], /--host/], [['--host', ''], /--host is empty/], [['--data-dir='], /--data-dir is empty/],
  [['--colour', 'red'], /--colour/], [['stray'], /stray/], [['--no-retry=1'], /no-retry/],
])('%j is refused with words', (argv, words) => { expect(read(argv)).toEqual({ kind: 'refused', reason: expect.stringMatching(words) }); });

test('without a folder named it is the one of the app, on each system', () => {
  const folder = (platform: NodeJS.Platform, environment: Record<string, string>): string => {
    const reading = read([], environment, platform);
    return reading.kind === 'run' ? reading.arguments.dataDir : '';
  };
  expect(folder('linux', { XDG_CONFIG_HOME: '/x' })).toBe('/x/Holdfast');
  expect(folder('linux', {})).toMatch(/\/\.config\/Holdfast$/);
  expect(folder('darwin', {})).toMatch(/Library\/Application Support\/Holdfast$/);
  expect(folder('win32', { APPDATA: '/roaming' })).toBe('/roaming/Holdfast');
});

const given = (changes: Partial<HeadlessArguments> = {}): HeadlessArguments => ({ dataDir: '/d', port: null, host: null, importFile: null, noRetry: false, ...changes });
const settings = defaultSettings();

// SPEC 8.7
test('nothing given changes nothing', () => {
  expect(readOverrides(given(), { HOLDFAST_PORT: ' ' })).toMatchObject({ warnings: [] });
  expect(readOverrides(given(), {}).apply(settings)).toEqual(settings);
});

test('the wait and the port of the environment are used; the command line stands above it', () => {
  const environment = { HOLDFAST_RETRY_WAIT_SECS: '600', HOLDFAST_PORT: '5000' };
  expect(readOverrides(given(), environment).apply(settings)).toMatchObject({ 'gateway.retry_wait_secs': 600, 'gateway.port': 5_000 });
  expect(readOverrides(given({ port: 0 }), environment).apply(settings)['gateway.port']).toBe(0);
});

test.each([
  ['HOLDFAST_RETRY_WAIT_SECS', '601'], ['HOLDFAST_RETRY_WAIT_SECS', '-1'], ['HOLDFAST_RETRY_WAIT_SECS', '1.5'], ['HOLDFAST_RETRY_WAIT_SECS', 'soon'], ['HOLDFAST_RETRY_WAIT_SECS', '1e2'],
  ['HOLDFAST_RETRY_MAX_ATTEMPTS', '101'], ['HOLDFAST_RETRY_MAX_ATTEMPTS', '0x3'], ['HOLDFAST_PORT', '80'], ['HOLDFAST_PORT', 'http'],
])('%s=%s is left unused with one warning that names what is allowed', (name, value) => {
  const overrides = readOverrides(given(), { [name]: value });
  expect(overrides.apply(settings)).toEqual(settings);
  expect(overrides.warnings).toEqual([expect.stringMatching(new RegExp(`^${name} cannot be "${value}" and is not used: allowed is`))]);
});

test('a number of attempts makes a custom policy that differs from the preset in just that', () => {
  for (const preset of ['patient', 'full_jitter', 'constant', 'custom'] as const) {
    const before = { ...settings, 'gateway.retry_preset': preset, 'gateway.retry_on_timeout': true };
    const after = readOverrides(given(), { HOLDFAST_RETRY_MAX_ATTEMPTS: '3' }).apply(before);
    expect(resolvePolicy(after, null)).toEqual({ ...resolvePolicy(before, null), maxAttempts: 3 });
  }
});

test('no retry is the preset off, whatever else is said', () => {
  const environment = { HOLDFAST_RETRY_MAX_ATTEMPTS: '3', HOLDFAST_RETRY_WAIT_SECS: '5' };
  expect(readOverrides(given({ noRetry: true }), environment).apply(settings)['gateway.retry_preset']).toBe('off');
  const off = { ...settings, 'gateway.retry_preset': 'off' as const };
  expect(readOverrides(given(), environment).apply(off)['gateway.retry_preset']).toBe('off');
});

// SPEC 1.1
test('beyond loopback a key is asked for, whatever the settings say', () => {
  const open = { ...settings, 'gateway.require_key': false };
  expect(readOverrides(given({ host: '0.0.0.0' }), {}).apply(open)).toMatchObject({ 'gateway.bind': 'lan', 'gateway.require_key': true });
  expect(readOverrides(given({ host: '127.0.0.1' }), {}).apply(open)).toEqual(open);
  expect(readOverrides(given({ host: '::1' }), {}).apply(open)).toEqual(open);
});

// SPEC 17
test('the same signal twice at the same time is one; a later or another one means at once', () => {
  let nowMs = 0;
  const did: string[] = [];
  const onSignal = createSignalHandler({ now: () => nowMs, stop: () => did.push('stop'), hurry: () => did.push('hurry') });
  onSignal('SIGTERM');
  nowMs = 499;
  onSignal('SIGTERM');
  expect(did).toEqual(['stop']);
  onSignal('SIGINT');
  nowMs = 500;
  onSignal('SIGTERM');
  expect(did).toEqual(['stop', 'hurry', 'hurry']);
});

// SPEC 18.1
test('only a port in use has the exit code 4', () => {
  const failed = (kind: 'port_in_use' | 'port_forbidden' | 'address_unavailable', freePort: number | null, owner: string | null = null) => listenWords({ status: 'failed', problem: { kind, port: 4_653, owner, freePort } });
  expect(failed('port_in_use', 4_654, 'nginx')).toEqual({ code: 4, lines: ['port 4653 is in use by nginx; port 4654 is free: --port 4654'] });
  expect(failed('port_in_use', null)).toEqual({ code: 4, lines: ['port 4653 is in use; choose another with --port'] });
  expect([failed('port_forbidden', null).code, failed('address_unavailable', null).code]).toEqual([1, 1]);
});
