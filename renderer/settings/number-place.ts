import { numberRange, parseSetting, type SettingIssue, type SettingKey, type Settings } from '../../shared/settings.ts';

/** A number among the settings, and in what unit a person sees it. */
export interface NumberPlace {
  readonly key: SettingKey;
  /** The field of an object; null for a setting that is the number. */
  readonly field: string | null;
  /** Stored units in one shown unit: 1,000 for milliseconds shown as seconds, 0.01 for a share shown in percent. */
  readonly perUnit: number;
  /** Narrower than the setting's own range because of another field, stored units. */
  readonly min?: number;
  readonly max?: number;
  /** What an arrow key changes, stored units; one shown unit when not given. */
  readonly step?: number;
}

/** What a text means: a value in stored units, or why it is refused, in shown units. */
export type NumberReading = { readonly ok: true; readonly value: number } | { readonly ok: false; readonly issue: SettingIssue };

/** Its range in stored units. */
export function rangeOf(place: NumberPlace): { readonly min: number; readonly max: number } {
  const own = numberRange(place.key, place.field === null ? [] : [place.field]);
  return { min: Math.max(own.min, place.min ?? own.min), max: Math.min(own.max, place.max ?? own.max) };
}

/** The number as a person sees it. Without the noise of binary fractions: 0.07 is 7 percent. */
export function shownOf(place: NumberPlace, value: number): number {
  return tidy(value / place.perUnit);
}

/** Reads what was typed; checks with the very schema that main checks with. */
export function readNumber(text: string, place: NumberPlace, settings: Settings): NumberReading {
  const trimmed = text.trim();
  const numeric = trimmed !== '' && Number.isFinite(Number(trimmed));
  const value = numeric ? tidy(Number(trimmed) * place.perUnit) : trimmed;
  const now: unknown = settings[place.key];
  const parsed = parseSetting(place.key, place.field === null ? value : { ...(now as object), [place.field]: value });
  const range = rangeOf(place);
  const own = parsed.ok ? undefined : parsed.issues.find(({ path }) => path === (place.field ?? ''));
  const beyond = typeof value === 'number' && value > range.max ? 'too_big' : typeof value === 'number' && value < range.min && !(parsed.ok && value === 0) ? 'too_small' : null;
  const reason = own?.reason ?? beyond;
  if (typeof value === 'number' && reason === null) return { ok: true, value };
  return { ok: false, issue: {
    key: place.key, path: place.field ?? '', reason: reason ?? 'wrong_type', given: numeric ? trimmed : JSON.stringify(trimmed),
    min: shownOf(place, range.min), max: shownOf(place, range.max), allowed: [],
  } };
}

function tidy(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
