import { resolvePolicy } from '../../shared/backoff.ts';
import { parseSetting, type Settings } from '../../shared/settings.ts';
import type { HeadlessArguments } from './arguments.ts';
import { readPort } from './arguments.ts';

/** What the command line and the environment say instead of the stored settings (SPEC 8.7), and what of the environment is left unused. */
export interface Overrides {
  readonly apply: (settings: Settings) => Settings;
  /** One sentence per variable that makes no sense. */
  readonly warnings: readonly string[];
}

/** Reads the overrides. The command line stands above the environment; a variable that is empty counts as unset. */
export function readOverrides({ port, host, noRetry }: HeadlessArguments, environment: Readonly<Record<string, string | undefined>>): Overrides {
  const warnings: string[] = [];
  const read = (name: string, parse: (text: string) => number | undefined, allowed: string): number | undefined => {
    const text = environment[name]?.trim();
    if (text === undefined || text === '') return undefined;
    const value = parse(text);
    if (value === undefined) warnings.push(`${name} cannot be ${JSON.stringify(text.slice(0, 80))} and is not used: allowed is ${allowed}`);
    return value;
  };
  const waitSecs = read('HOLDFAST_RETRY_WAIT_SECS', (text) => inRange('gateway.retry_wait_secs', wholeNumber(text)), '0 to 600');
  const maxAttempts = read('HOLDFAST_RETRY_MAX_ATTEMPTS', (text) => { const value = wholeNumber(text); return value <= 100 ? value : undefined; }, '0 to 100');
  const environmentPort = read('HOLDFAST_PORT', readPort, '1024 to 65535, or 0');
  const usedPort = port ?? environmentPort;

  const apply = (stored: Settings): Settings => {
    const settings: Settings = {
      ...stored,
      ...(usedPort !== undefined && { 'gateway.port': usedPort }),
      ...(waitSecs !== undefined && { 'gateway.retry_wait_secs': waitSecs }),
      // Whoever can reach the port can spend the user's money (SPEC 1.1).
      ...(host !== null && !isLoopback(host) && { 'gateway.bind': 'lan' as const, 'gateway.require_key': true }),
    };
    if (noRetry) return { ...settings, 'gateway.retry_preset': 'off' };
    return maxAttempts === undefined ? settings : withMaxAttempts(settings, maxAttempts);
  };
  return { apply, warnings };
}

// No preset has a number of attempts of one's own, so the preset in force becomes a custom policy that differs in just that.
function withMaxAttempts(settings: Settings, maxAttempts: number): Settings {
  if (settings['gateway.retry_preset'] === 'off') return settings;
  const { enabled: _enabled, deadlineMs: _deadlineMs, ...policy } = resolvePolicy(settings, null);
  return { ...settings, 'gateway.retry_preset': 'custom', 'gateway.retry_policy': { ...policy, maxAttempts } };
}

function wholeNumber(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
}

function inRange(key: 'gateway.retry_wait_secs', value: number): number | undefined {
  const parsed = parseSetting(key, value);
  return parsed.ok ? parsed.value : undefined;
}

function isLoopback(host: string): boolean {
  return /^127(\.\d+){3}$/.test(host) || host === '::1';
}
