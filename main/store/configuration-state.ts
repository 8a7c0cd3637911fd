import { z } from 'zod';
import { FORMAT_NAMES } from '../../shared/format.ts';
import type { GatewayKey } from '../../shared/key.ts';
import { routeSchema, type Route } from '../../shared/route.ts';
import { defaultSettings, isSettingKey, readSetting, type SettingKey, type Settings } from '../../shared/settings.ts';
import { UPSTREAM_PRESETS } from '../../shared/upstream.ts';
import { withSecrets, writtenUpstream, type StoredUpstream } from './upstream-secrets.ts';
import type { SecretBox } from './secret-box.ts';
import type { ConfigurationPatch, StoredConfiguration, StoreNotice } from './protocol.ts';

/** A gateway key with the place of its secret. */
export interface StoredKey { readonly key: GatewayKey; readonly secretId: string }

/** Everything that is configured, as it lies in memory. Never changed: a change makes a new one. */
export interface ConfigurationState {
  readonly settings: Settings;
  readonly upstreams: readonly StoredUpstream[];
  readonly routes: readonly Route[];
  readonly keys: readonly StoredKey[];
  /** Small things the app remembers that are no settings. */
  readonly appState: Readonly<Record<string, unknown>>;
}

/** A change: settings and app state one by one, lists as a whole. */
export interface ConfigurationChange {
  readonly settings?: Partial<Settings>;
  readonly upstreams?: readonly StoredUpstream[];
  readonly routes?: readonly Route[];
  readonly keys?: readonly StoredKey[];
  readonly appState?: Readonly<Record<string, unknown>>;
}

/** What a start without any database has. */
export function seedOf(settings: Settings): StoredConfiguration['settings'] {
  return Object.entries(settings).map(([key, value]) => ({ key, value: JSON.stringify(value) }));
}

/** The state that lies on disk, and what of it has to be told. */
export interface StateReading {
  readonly state: ConfigurationState;
  readonly notices: readonly StoreNotice[];
  /** Headers and proxies whose secrets are gone or sealed. */
  readonly unreadable: readonly { readonly upstream: string; readonly place: string }[];
}

/** Reads what lies on disk. Whatever makes no sense is left out or repaired, with a notice each; nothing is written back (SPEC 14). */
export function readState(stored: StoredConfiguration, secretBox: SecretBox, anyPort: boolean): StateReading {
  const notices: StoreNotice[] = [];
  const unreadable: { upstream: string; place: string }[] = [];
  const settings = readSettings(stored, anyPort, notices);
  const list = <T>(part: 'upstreams' | 'routes' | 'keys', entries: readonly { id: string }[], read: (index: number) => T | null): T[] =>
    entries.flatMap((entry, index) => {
      const value = read(index);
      if (value === null) notices.push({ kind: 'entry_unreadable', part, id: entry.id });
      return value === null ? [] : [value];
    });
  const state: ConfigurationState = {
    settings,
    upstreams: list('upstreams', stored.upstreams, (index) => readUpstream(stored.upstreams[index], secretBox, unreadable)),
    routes: list('routes', stored.routes, (index) => routeSchema.safeParse(jsonOf(stored.routes[index]?.value)).data ?? null),
    keys: list('keys', stored.keys, (index) => readKey(stored.keys[index])),
    appState: Object.fromEntries(stored.state.map((entry) => [entry.key, jsonOf(entry.value)])),
  };
  return { state, notices, unreadable };
}

/** The state after a change. */
export function applyChange(state: ConfigurationState, change: ConfigurationChange): ConfigurationState {
  return {
    settings: change.settings === undefined ? state.settings : { ...state.settings, ...change.settings },
    upstreams: change.upstreams ?? state.upstreams,
    routes: change.routes ?? state.routes,
    keys: change.keys ?? state.keys,
    appState: change.appState === undefined ? state.appState : { ...state.appState, ...change.appState },
  };
}

/** A change as the writer takes it. */
export function patchOf(change: ConfigurationChange): ConfigurationPatch {
  const texts = (record: object) => Object.entries(record).map(([key, value]) => ({ key, value: JSON.stringify(value) }));
  return {
    ...(change.settings && { settings: texts(change.settings) }),
    ...(change.appState && { state: texts(change.appState) }),
    ...(change.upstreams && { upstreams: change.upstreams.map((entry) => ({ id: entry.upstream.id, value: JSON.stringify(writtenUpstream(entry)), secret_ids: JSON.stringify(entry.secretIds) })) }),
    ...(change.routes && { routes: change.routes.map((route) => ({ id: route.id, value: JSON.stringify(route) })) }),
    ...(change.keys && {
      keys: change.keys.map(({ key, secretId }) => ({
        id: key.id, name: key.name, hint: key.hint, disabled: key.disabled ? 1 : 0, created_at: key.createdAt, secret_id: secretId,
      })),
    }),
  };
}

const storedUpstreamSchema = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  preset: z.enum(UPSTREAM_PRESETS),
  baseUrl: z.string().min(1),
  formats: z.array(z.enum(FORMAT_NAMES)),
  credential: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('stored'), hint: z.string() }),
    z.object({ kind: z.literal('env'), name: z.string() }),
    z.object({ kind: z.literal('client') }),
    z.object({ kind: z.literal('none') }),
  ]),
  headers: z.record(z.string(), z.string()),
  proxy: z.string(),
  models: z.array(z.string()),
  maxInFlight: z.int().min(0),
  enabled: z.boolean(),
});

function readUpstream(entry: StoredConfiguration['upstreams'][number] | undefined, secretBox: SecretBox, unreadable: { upstream: string; place: string }[]): StoredUpstream | null {
  const parsed = storedUpstreamSchema.safeParse(jsonOf(entry?.value));
  const secretIds = z.record(z.string(), z.string()).safeParse(jsonOf(entry?.secret_ids));
  if (!parsed.success || !secretIds.success) return null;
  const read = withSecrets(parsed.data, secretIds.data, secretBox);
  unreadable.push(...read.places.map((place) => ({ upstream: parsed.data.id, place })));
  return read.entry;
}

const storedKeySchema = z.object({ id: z.string(), name: z.string(), hint: z.string(), disabled: z.int(), created_at: z.number(), secret_id: z.string() });

function readKey(entry: unknown): StoredKey | null {
  const parsed = storedKeySchema.safeParse(entry);
  if (!parsed.success) return null;
  const { id, name, hint, disabled, created_at, secret_id } = parsed.data;
  return { key: { id, name, hint, disabled: disabled !== 0, createdAt: created_at }, secretId: secret_id };
}

function readSettings(stored: StoredConfiguration, anyPort: boolean, notices: StoreNotice[]): Settings {
  const settings: Partial<Record<SettingKey, unknown>> = { ...defaultSettings() };
  for (const { key, value } of stored.settings) {
    // A key that this version does not know stays on disk and means nothing.
    if (!isSettingKey(key)) continue;
    const text = key === 'gateway.port' && !anyPort && value === '0' ? undefined : jsonOf(value);
    const read = readSetting(key, text);
    settings[key] = read.value;
    if (read.repaired !== 'no') notices.push({ kind: 'setting_repaired', key, how: read.repaired });
  }
  return settings as Settings;
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
