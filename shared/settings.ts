import { z } from 'zod';
import { FAILURE_CLASSES } from './failure.ts';
import { RETRY_PRESETS, retryPolicySchema } from './policy.ts';
import { STRATEGIES } from './route.ts';

const whole = (min: number, max: number) => z.int().min(min).max(max);
const retryRuleSchema = z.strictObject({
  /** Upstream id, or null for any. */
  upstream: z.string().min(1).nullable().default(null),
  /** Empty means any. */
  statuses: z.array(whole(100, 599)).max(50).default([]),
  text: z.string().max(500).optional(),
  /** RE2 syntax. */
  pattern: z.string().max(500).optional(),
  class: z.enum(FAILURE_CLASSES).exclude(['cancelled']),
});
/** A user's own classification (SPEC 4.7). */
export type RetryRule = z.infer<typeof retryRuleSchema>;
/** The user's rules, the first that matches decides. Whether a pattern can be read is checked where the engine is. */
export const retryRulesSchema = z.array(retryRuleSchema).max(100);

/** Every setting once: its schema with range and default (SPEC 14). */
export const settingSchemas = {
  'gateway.port': z.union([z.literal(0), whole(1_024, 65_535)]).default(4_653),
  'gateway.bind': z.enum(['loopback', 'lan']).default('loopback'),
  'gateway.require_key': z.boolean().default(true),
  // Each by its name: a wildcard would let every web page in, and a space or line end never matches.
  'gateway.allowed_origins': z.array(z.string().max(256).regex(/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*]+$/i)).max(50).default([]),
  'gateway.allowed_hosts': z.array(z.string().max(256).regex(/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i)).max(50).default([]),
  'gateway.retry_wait_secs': whole(0, 600).default(120),
  'gateway.retry_preset': z.enum(RETRY_PRESETS).default('patient'),
  'gateway.retry_policy': retryPolicySchema.prefault({}),
  'gateway.retry_on_timeout': z.boolean().default(false),
  'gateway.retry_rules': retryRulesSchema.default([]),
  'gateway.retry_budget': z.strictObject({
    enabled: z.boolean().default(true),
    capacity: whole(1, 10_000).default(60),
    ratio: z.number().min(0).max(1).default(0.2),
    min_per_minute: whole(0, 10_000).default(60),
  }).prefault({}),
  'gateway.breaker': z.strictObject({
    enabled: z.boolean().default(true),
    failures: whole(1, 100).default(3),
    ratio: z.number().min(0.05).max(1).default(0.5),
    min_samples: whole(1, 1_000).default(10),
    window_secs: whole(5, 3_600).default(60),
    cool_secs: whole(1, 3_600).default(60),
    max_cool_secs: whole(1, 86_400).default(600),
  }).prefault({}),
  'gateway.strategy': z.enum(STRATEGIES).default('priority'),
  'gateway.affinity': z.enum(['off', 'prefer', 'strict']).default('prefer'),
  'gateway.rate_limit_action': z.enum(['return', 'wait']).default('return'),
  'gateway.stop_client_retries': z.boolean().default(false),
  'gateway.metrics': z.boolean().default(false),
  'gateway.keepalive_secs': whole(5, 60).default(15),
  'gateway.idle_timeout_secs': whole(30, 3_600).default(300),
  'gateway.request_timeout_secs': whole(10, 3_600).default(600),
  'gateway.max_body_mb': whole(1, 512).default(64),
  'logs.retention_days': whole(1, 365).default(30),
  'logs.max_mb': whole(50, 10_240).default(1_024),
  'logs.bodies': z.enum(['off', 'errors', 'all']).default('off'),
  'logs.body_retention_days': whole(1, 90).default(7),
  'app.language': z.enum(['system', 'en', 'zh']).default('system'),
  'app.theme': z.enum(['system', 'light', 'dark']).default('system'),
  'app.start_at_login': z.boolean().default(false),
  'app.start_hidden': z.boolean().default(false),
  'app.close_to_tray': z.boolean().default(true),
  'app.notifications': z.enum(['off', 'in_app', 'system']).default('in_app'),
  'app.check_updates': z.boolean().default(true),
} as const;

export type SettingKey = keyof typeof settingSchemas;
export type SettingValue<K extends SettingKey> = z.infer<(typeof settingSchemas)[K]>;
export type Settings = { readonly [K in SettingKey]: SettingValue<K> };
export const SETTING_KEYS = Object.keys(settingSchemas) as SettingKey[];

/** Why a value was refused: enough to say it in any language. */
export interface SettingIssue {
  readonly key: string;
  /** Inside an object or list: `baseMs`, `0.class`; empty for the value itself. */
  readonly path: string;
  readonly reason: 'unknown_key' | 'too_small' | 'too_big' | 'not_whole' | 'wrong_type' | 'not_allowed' | 'too_long' | 'unknown_field' | 'bad_pattern';
  /** The refused value as short JSON, at most 80 characters. */
  readonly given: string;
  readonly min: number | null;
  readonly max: number | null;
  readonly allowed: readonly string[];
}

export type SettingParse<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: readonly SettingIssue[] };

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingSchemas, key);
}

/** The value every setting has before anybody changed it. */
export function defaultSettings(): Settings {
  return Object.fromEntries(SETTING_KEYS.map((key) => [key, settingSchemas[key].parse(undefined)])) as unknown as Settings;
}

/** Checks a value that somebody wants to write. Refuses with every fault named; never changes the value but for filling in the rest of an object. */
export function parseSetting<K extends SettingKey>(key: K, value: unknown): SettingParse<SettingValue<K>> {
  if (value === undefined) return { ok: false, issues: [issueOf(key, '', 'wrong_type', value)] };
  const parsed = settingSchemas[key].safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data as SettingValue<K> };
  return { ok: false, issues: parsed.error.issues.flatMap((issue) => describe(key, value, issue)) };
}

/** Reads a stored value: out of range comes to the nearest end, anything else unreadable to the default (SPEC 14). */
export function readSetting<K extends SettingKey>(key: K, stored: unknown): { readonly value: SettingValue<K>; readonly repaired: 'no' | 'clamped' | 'default' } {
  const first = settingSchemas[key].safeParse(stored);
  if (first.success && stored !== undefined) return { value: first.data as SettingValue<K>, repaired: 'no' };
  const clamped = first.success ? undefined : clampAll(key, stored);
  if (clamped !== undefined) return { value: clamped as SettingValue<K>, repaired: 'clamped' };
  return { value: settingSchemas[key].parse(undefined) as SettingValue<K>, repaired: 'default' };
}

/** Range of a number setting, or of a number inside one (`steps`), for the fields of the window. */
export function numberRange(key: SettingKey, steps: readonly string[] = []): { readonly min: number; readonly max: number } {
  const part = rangeAt(key, steps);
  return { min: part.minimum ?? 0, max: part.maximum ?? 0 };
}

/** One English sentence for places without translation (command line, logs): names the key, the value and the range. */
export function issueSentence(issue: SettingIssue): string {
  const name = issue.path === '' ? issue.key : `${issue.key}.${issue.path}`;
  const range = issue.min !== null && issue.max !== null ? `allowed is ${issue.min} to ${issue.max}`
    : issue.min !== null ? `at least ${issue.min} is allowed`
    : issue.max !== null ? `at most ${issue.max} is allowed`
    : issue.allowed.length > 0 ? `allowed is ${issue.allowed.join(', ')}` : '';
  const reason = issue.reason === 'unknown_key' ? 'is not a setting' : issue.reason === 'unknown_field' ? 'has a field that is not known'
    : issue.reason === 'bad_pattern' ? 'is not a valid pattern' : `cannot be ${issue.given}`;
  return range === '' ? `${name} ${reason}` : `${name} ${reason}: ${range}`;
}

type ZodIssue = z.core.$ZodIssue;

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, step) => (typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[step] : undefined), value);
}

function issueOf(key: string, path: string, reason: SettingIssue['reason'], given: unknown, more: Partial<SettingIssue> = {}): SettingIssue {
  const text = given === undefined ? 'nothing' : JSON.stringify(given);
  return { key, path, reason, given: text.length > 80 ? `${text.slice(0, 77)}...` : text, min: null, max: null, allowed: [], ...more };
}

function describe(key: SettingKey, value: unknown, issue: ZodIssue, before: readonly PropertyKey[] = []): SettingIssue[] {
  const steps = [...before, ...issue.path];
  const path = steps.map(String).join('.');
  const given = at(value, steps);
  if (issue.code === 'invalid_union') {
    const nearest = [...issue.errors].sort((a, b) => rank(a) - rank(b))[0] ?? [];
    return nearest.length > 0 ? nearest.flatMap((inner) => describe(key, value, inner, steps)) : [issueOf(key, path, 'wrong_type', given)];
  }
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    if (Array.isArray(given) || typeof given === 'string') return [issueOf(key, path, 'too_long', given, { max: issue.code === 'too_big' ? Number(issue.maximum) : null, min: issue.code === 'too_small' ? Number(issue.minimum) : null })];
    return [issueOf(key, path, issue.code, given, boundsOf(key, steps, issue))];
  }
  if (issue.code === 'invalid_type') return [issueOf(key, path, typeof given === 'number' ? 'not_whole' : 'wrong_type', given, boundsOf(key, steps, issue))];
  if (issue.code === 'invalid_value') return [issueOf(key, path, 'not_allowed', given, { allowed: issue.values.map(String) })];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((field) => issueOf(key, [...steps, field].map(String).join('.'), 'unknown_field', undefined));
  return [issueOf(key, path, 'wrong_type', given)];
}

// Of the branches of a union the one with a range explains most.
function rank(issues: readonly ZodIssue[]): number {
  return issues.some((issue) => issue.code === 'too_small' || issue.code === 'too_big') ? 0 : issues.some((issue) => issue.code === 'invalid_type') ? 1 : 2;
}

// Of a union the branch with a range: the other is a value that stands for itself, 0 for "off".
function rangeAt(key: SettingKey, steps: readonly PropertyKey[]): JsonRange {
  let json = z.toJSONSchema(settingSchemas[key], { io: 'input' }) as JsonRange;
  for (const step of steps) json = json.properties?.[String(step)] ?? json.items ?? {};
  return json.anyOf?.find((option) => option.minimum !== undefined) ?? json;
}

function boundsOf(key: SettingKey, steps: readonly PropertyKey[], issue: ZodIssue): { min: number | null; max: number | null } {
  const part = rangeAt(key, steps);
  const own = issue.code === 'too_small' ? Number(issue.minimum) : null;
  return { min: own ?? part.minimum ?? null, max: part.maximum ?? null };
}

interface JsonRange {
  minimum?: number;
  maximum?: number;
  properties?: Record<string, JsonRange>;
  items?: JsonRange;
  anyOf?: JsonRange[];
}

function clampAll(key: SettingKey, stored: unknown): unknown {
  let value: unknown = structuredCloneJson(stored);
  for (let pass = 0; pass < 4; pass++) {
    const parsed = settingSchemas[key].safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const bound = nearestBound(issue, value);
      if (bound === null) return undefined;
      value = withValue(value, bound.path, bound.value);
    }
  }
  return undefined;
}

function nearestBound(issue: ZodIssue, value: unknown, before: readonly PropertyKey[] = []): { path: readonly PropertyKey[]; value: number } | null {
  const path = [...before, ...issue.path];
  if (issue.code === 'invalid_union') {
    for (const branch of issue.errors) {
      const found = branch.map((inner) => nearestBound(inner, value, path)).find((bound) => bound !== null);
      if (found) return found;
    }
    return null;
  }
  if (typeof at(value, path) !== 'number') return null;
  if (issue.code === 'too_small') return { path, value: Number(issue.minimum) };
  if (issue.code === 'too_big') return { path, value: Number(issue.maximum) };
  return null;
}

function withValue(value: unknown, path: readonly PropertyKey[], next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? withValue(item, rest, next) : item));
  return { ...(value as object), [step]: withValue((value as Record<PropertyKey, unknown>)[step], rest, next) };
}

function structuredCloneJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
