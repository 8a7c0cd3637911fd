import { RE2JS } from 're2js';
import { isSettingKey, parseSetting, type SettingIssue, type SettingKey, type Settings } from '../../shared/settings.ts';

export type SettingsCheck = { readonly ok: true; readonly change: Partial<Settings> } | { readonly ok: false; readonly issues: readonly SettingIssue[] };

/** Checks settings that somebody wants to write, alone and against each other (SPEC 14). `anyPort` allows port 0, which is for processes without a window. */
export function checkSettings(current: Settings, given: Readonly<Record<string, unknown>>, anyPort: boolean): SettingsCheck {
  const issues: SettingIssue[] = [];
  const change: Partial<Record<SettingKey, unknown>> = {};
  for (const [key, value] of Object.entries(given)) {
    if (!isSettingKey(key)) {
      issues.push(issue(key, 'unknown_key', value));
      continue;
    }
    const parsed = parseSetting(key, value);
    if (!parsed.ok) issues.push(...parsed.issues);
    else change[key] = parsed.value;
  }
  const typed = change as Partial<Settings>;
  if (typed['gateway.port'] === 0 && !anyPort) issues.push({ ...issue('gateway.port', 'too_small', 0), min: 1_024, max: 65_535 });
  issues.push(...patternIssues(typed), ...togetherIssues({ ...current, ...typed }, typed));
  return issues.length > 0 ? { ok: false, issues } : { ok: true, change: typed };
}

function patternIssues(change: Partial<Settings>): SettingIssue[] {
  return (change['gateway.retry_rules'] ?? []).flatMap((rule, index) =>
    rule.pattern === undefined || compiles(rule.pattern) ? [] : [{ ...issue('gateway.retry_rules', 'bad_pattern', rule.pattern), path: `${index}.pattern` }]);
}

function compiles(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}

// Whoever can reach the port can spend the user's money, so beyond this machine a key is always asked for (SPEC 1.1, 14).
function togetherIssues(next: Settings, change: Partial<Settings>): SettingIssue[] {
  if (next['gateway.require_key'] || next['gateway.bind'] === 'loopback') return [];
  return change['gateway.bind'] === 'lan'
    ? [{ ...issue('gateway.bind', 'not_allowed', 'lan'), allowed: ['loopback'] }]
    : [{ ...issue('gateway.require_key', 'not_allowed', false), allowed: ['true'] }];
}

function issue(key: string, reason: SettingIssue['reason'], given: unknown): SettingIssue {
  return { key, path: '', reason, given: shortJson(given), min: null, max: null, allowed: [] };
}

function shortJson(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
