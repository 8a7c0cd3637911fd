import { parseSetting, type SettingIssue } from '../../../../shared/settings.ts';

/** What the text of the field means: whole seconds in range, or why it is refused. */
export type WaitReading = { readonly ok: true; readonly secs: number } | { readonly ok: false; readonly issue: SettingIssue };

/** Reads the retry-wait field; checks with the very schema that main checks with. */
export function readWait(text: string): WaitReading {
  const trimmed = text.trim();
  const value = trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
  const parsed = parseSetting('gateway.retry_wait_secs', value);
  return parsed.ok ? { ok: true, secs: parsed.value } : { ok: false, issue: parsed.issues[0] as SettingIssue };
}
