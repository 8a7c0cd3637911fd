import type { ChangeCounts, DocumentPreview } from '../../shared/data.ts';
import { MOST_ENTRIES, type DocumentFault } from '../../shared/document.ts';
import { defaultSettings } from '../../shared/settings.ts';
import type { ConfigurationChange, ConfigurationState, StoredKey } from './configuration-state.ts';
import type { CheckedDocument, CheckedUpstream } from './document-check.ts';
import type { DocumentSecrets } from './document-secrets.ts';
import { warningsOf } from './document-warnings.ts';
import { faultOf, shownName } from './fault-words.ts';
import { storedKey } from './keys.ts';
import type { SecretBox } from './secret-box.ts';
import { credentialId, placeSecrets, secretParts, withoutSecrets, type StoredUpstream } from './upstream-secrets.ts';

/** `merge` leaves what the document does not name; `replace` makes the configuration what it says. */
export type TakeOver = DocumentPreview['mode'];

/** What taking a document over does. */
export interface DocumentPlan {
  readonly change: ConfigurationChange;
  readonly put: readonly { readonly id: string; readonly value: string }[];
  /** Secrets that nothing refers to any more. */
  readonly drop: readonly string[];
  readonly preview: DocumentPreview;
}

/** Thinks a checked document through; changes nothing. */
export function planDocument(document: CheckedDocument, secrets: DocumentSecrets | null, mode: TakeOver, state: ConfigurationState, secretBox: SecretBox, utcMs: number): DocumentPlan {
  const settings = mode === 'replace' ? { ...defaultSettings(), ...document.settings } : document.settings;
  const placed = document.upstreams.map((given) => placeGiven(given, state.upstreams.find(({ upstream }) => upstream.id === given.upstream.id) ?? null));
  const upstreams = mode === 'replace' ? placed.map(({ entry }) => entry) : mergeUpstreams(state.upstreams, placed.map(({ entry }) => entry));
  const routes = mode === 'replace' ? document.routes ?? [] : document.routes ?? state.routes;
  const keys = mergeKeys(document.keys, secrets, state.keys, secretBox, utcMs);
  const put = [...placed.flatMap((one) => one.put), ...keys.put];
  const still = new Set(upstreams.flatMap(({ secretIds }) => Object.values(secretIds)));
  const valueOf = (id: string): string | null => put.find((one) => one.id === id)?.value ?? readSecret(secretBox, id);
  const same = (a: StoredUpstream, b: StoredUpstream): boolean => shownText(a) === shownText(b) && secretTexts(a, valueOf) === secretTexts(b, valueOf);
  const change: ConfigurationChange = {
    ...(Object.keys(settings).length > 0 && { settings }),
    ...((mode === 'replace' || placed.length > 0) && { upstreams }),
    ...((mode === 'replace' || document.routes !== null) && { routes }),
    ...(document.keys.length > 0 && { keys: keys.keys }),
  };
  return {
    change,
    put,
    drop: state.upstreams.flatMap(({ secretIds }) => Object.values(secretIds)).filter((id) => !still.has(id)),
    preview: {
      mode,
      settings: countsOf(Object.entries(state.settings), Object.entries({ ...state.settings, ...settings }), ([key]) => key, isSameJson),
      upstreams: countsOf(state.upstreams, upstreams, ({ upstream }) => upstream.id, same),
      routes: countsOf(state.routes, routes, ({ id }) => id, isSameJson),
      keys: countsOf(state.keys, keys.keys, ({ key }) => key.id, isSameJson),
      needSecret: placed.filter(({ missing }) => missing).map(({ entry }) => entry.upstream.name),
      keysLost: keys.lost.map(shownName),
      warnings: warningsOf(state, change),
    },
  };
}

/** What a plan would make longer than a document may be: then no export of it, and no backup, could be read back. */
export function crowdedFaults({ change }: DocumentPlan, state: ConfigurationState): readonly DocumentFault[] {
  return (['upstreams', 'keys'] as const).flatMap((list) => {
    const count = change[list]?.length ?? 0;
    return count > MOST_ENTRIES[list] && count > state[list].length ? [faultOf(list, 'too_many_together', { max: MOST_ENTRIES[list] })] : [];
  });
}

// What the document left out is taken from what is here, but only for the same address by the same way: another one would be given somebody's key.
function placeGiven({ upstream, secret, withheld }: CheckedUpstream, before: StoredUpstream | null): ReturnType<typeof placeSecrets> & { readonly missing: boolean } {
  const linked = before !== null && withheld.length > 0 && before.upstream.baseUrl === upstream.baseUrl && secretParts(before.upstream).proxyHost === secretParts(upstream).proxyHost ? before : null;
  if (linked === null) return { ...placeSecrets(upstream, secret), missing: withheld.length > 0 };
  const headers = Object.entries(linked.upstream.headers).filter(([name]) => withheld.includes(`header:${name.toLowerCase()}`));
  const linkedProxy = withheld.includes('proxy') ? secretParts(linked.upstream).proxy : null;
  const hasCredential = withheld.includes('credential') && credentialId(linked) !== null;
  const had = [...headers.map(([name]) => `header:${name.toLowerCase()}`), ...(linkedProxy === null ? [] : ['proxy']), ...(hasCredential ? ['credential'] : [])];
  const filled = {
    ...upstream, headers: { ...upstream.headers, ...Object.fromEntries(headers) }, proxy: linkedProxy ?? upstream.proxy,
    credential: hasCredential ? linked.upstream.credential : upstream.credential,
  };
  return { ...placeSecrets(filled, secret, linked), missing: withheld.some((place) => !had.includes(place)) };
}

// Replaced ones keep their place in the user's order, new ones follow.
function mergeUpstreams(current: readonly StoredUpstream[], given: readonly StoredUpstream[]): readonly StoredUpstream[] {
  const kept = current.map((entry) => given.find((next) => next.upstream.id === entry.upstream.id) ?? entry);
  return [...kept, ...given.filter((next) => !kept.includes(next))];
}

// A key that is there already keeps its place and takes the name: importing twice changes nothing. None is ever taken away: it could not come back.
function mergeKeys(given: CheckedDocument['keys'], secrets: DocumentSecrets | null, current: readonly StoredKey[], secretBox: SecretBox, utcMs: number): { readonly keys: readonly StoredKey[]; readonly put: readonly { readonly id: string; readonly value: string }[]; readonly lost: readonly string[] } {
  const put: { id: string; value: string }[] = [];
  const lost: string[] = [];
  const keys = [...current];
  for (const one of given) {
    const value = 'key' in one ? one.key : secrets?.keys.find(({ name }) => name === one.name)?.key ?? null;
    const place = keys.findIndex((entry) => (value === null ? entry.key.name === one.name && entry.key.hint === ('hint' in one ? one.hint : '') : (put.find(({ id }) => id === entry.secretId)?.value ?? readSecret(secretBox, entry.secretId)) === value));
    const found = keys[place];
    if (found !== undefined) keys[place] = { ...found, key: { ...found.key, name: one.name, disabled: one.disabled ?? found.key.disabled } };
    else if (value === null) lost.push(one.name);
    else {
      const made = storedKey(one.name, value, utcMs);
      keys.push(one.disabled === true ? { ...made, key: { ...made.key, disabled: true } } : made);
      put.push({ id: made.secretId, value });
    }
  }
  return { keys, put, lost };
}

function readSecret(secretBox: SecretBox, id: string): string | null {
  const secret = secretBox.get(id);
  return secret.kind === 'value' ? secret.value : null;
}

function shownText({ upstream }: StoredUpstream): string {
  const { id, headers: _shown, ...rest } = withoutSecrets(upstream);
  return JSON.stringify([id, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)), Object.entries(upstream.headers).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function secretTexts({ secretIds }: StoredUpstream, valueOf: (id: string) => string | null): string {
  return JSON.stringify(Object.entries(secretIds).map(([place, id]) => [place, valueOf(id)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function countsOf<T>(before: readonly T[], after: readonly T[], idOf: (one: T) => string, isSame: (a: T, b: T) => boolean): ChangeCounts {
  const was = new Map(before.map((one) => [idOf(one), one]));
  const now = new Set(after.map(idOf));
  const pairs = after.map((one) => ({ one, old: was.get(idOf(one)) }));
  const added = pairs.filter(({ old }) => old === undefined).length;
  const same = pairs.filter(({ one, old }) => old !== undefined && isSame(old, one)).length;
  return { added, changed: after.length - added - same, removed: before.filter((one) => !now.has(idOf(one))).length, same };
}
