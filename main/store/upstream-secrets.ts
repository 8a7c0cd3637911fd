import { randomUUID } from 'node:crypto';
import { isSecretHeader } from '../../shared/mask.ts';
import type { Upstream } from '../../shared/upstream.ts';
import type { SecretBox } from './secret-box.ts';
import { secretHint } from './secret-hint.ts';

/** Where the secrets of an upstream lie in the secret box, by their place: `credential`, `proxy`, `header:<name>`. */
export type SecretPlaces = Readonly<Record<string, string>>;

/** An upstream as it is used, with the places of its secrets. */
export interface StoredUpstream {
  readonly upstream: Upstream;
  readonly secretIds: SecretPlaces;
  /** Headers whose secrets cannot be read here, as they are shown: in use without them, and written back, since elsewhere they can be. */
  readonly unreadable?: Readonly<Record<string, string>>;
}

const CREDENTIAL = 'credential';
const PROXY = 'proxy';
const headerPlace = (name: string): string => `header:${name.toLowerCase()}`;
// In place of a proxy whose password cannot be read: nothing may go out around it.
const NO_PROXY_TO_BE_FOUND = 'http://unreadable.invalid:9';

/**
 * Gives every secret of an upstream a place; `credential` is null when none is stored anew. `put` is what the secret box has to be given.
 * What is as it was `before` keeps its place; everything else gets a new one.
 */
export function placeSecrets(upstream: Upstream, credential: string | null, before: StoredUpstream | null = null): { readonly entry: StoredUpstream; readonly put: readonly { readonly id: string; readonly value: string }[] } {
  const secrets: [place: string, value: string][] = [
    ...(credential === null ? [] : [[CREDENTIAL, credential] as [string, string]]),
    ...(hasPassword(upstream.proxy) ? [[PROXY, upstream.proxy] as [string, string]] : []),
    ...Object.entries(upstream.headers).filter(([name]) => isSecretHeader(name)).map(([name, value]): [string, string] => [headerPlace(name), value]),
  ];
  const placed = secrets.map(([place, value]) => {
    const known = before !== null && secretAt(before.upstream, place) === value ? before.secretIds[place] : undefined;
    return { place, value, id: known ?? `upstream:${upstream.id}:${place}:${randomUUID()}`, isNew: known === undefined };
  });
  const unreadable = unreadableAfter(upstream, before);
  const unread = [...Object.keys(unreadable).map(headerPlace), ...(upstream.proxy === NO_PROXY_TO_BE_FOUND ? [PROXY] : [])];
  const kept = Object.fromEntries(unread.flatMap((place) => { const id = before?.secretIds[place]; return id === undefined ? [] : [[place, id]]; }));
  const keptCredential = credential === null && upstream.credential.kind === 'stored' && before !== null ? credentialId(before) : null;
  return {
    entry: {
      upstream, secretIds: { ...kept, ...Object.fromEntries(placed.map(({ place, id }) => [place, id])), ...(keptCredential === null ? {} : { [CREDENTIAL]: keptCredential }) },
      ...(Object.keys(unreadable).length > 0 && { unreadable }),
    },
    put: placed.flatMap(({ id, value, isNew }) => (isNew ? [{ id, value }] : [])),
  };
}

// Nobody sees them to take them away; a header of the same name stands in for one.
function unreadableAfter(upstream: Upstream, before: StoredUpstream | null): Readonly<Record<string, string>> {
  const given = new Set(Object.keys(upstream.headers).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(before?.unreadable ?? {}).filter(([name]) => !given.has(name.toLowerCase())));
}

/** Headers as they are written: those in use with hints in place of secrets, and those that cannot be read. */
export function writtenUpstream({ upstream, unreadable = {} }: StoredUpstream): Upstream {
  const written = withoutSecrets(upstream);
  return { ...written, headers: { ...written.headers, ...unreadable } };
}

// The value of a proxy or header as it is in use; the credential itself is in no upstream.
function secretAt(upstream: Upstream, place: string): string | undefined {
  return place === PROXY ? upstream.proxy : Object.entries(upstream.headers).find(([name]) => headerPlace(name) === place)?.[1];
}

/** What a field of the editor means: its own text, or the saved secret when it was given back as it is shown. `header` null is the proxy. */
export function shownAs(saved: Upstream, header: string | null, given: string): string {
  const shown = withoutSecrets(saved);
  if (header === null) return given === shown.proxy ? saved.proxy : given;
  const name = Object.keys(saved.headers).find((one) => one.toLowerCase() === header.toLowerCase());
  return name !== undefined && given === shown.headers[name] ? saved.headers[name] ?? given : given;
}

/** The id of the stored credential; null when there is none. */
export function credentialId({ secretIds }: StoredUpstream): string | null {
  return secretIds[CREDENTIAL] ?? null;
}

/** What of an upstream may be written into the database and shown: hints in place of secrets (SPEC 2.3, 12.5). */
export function withoutSecrets(upstream: Upstream): Upstream {
  return {
    ...upstream,
    proxy: hasPassword(upstream.proxy) ? maskedProxy(upstream.proxy) : upstream.proxy,
    headers: Object.fromEntries(Object.entries(upstream.headers).map(([name, value]) => [name, isSecretHeader(name) ? secretHint(value) : value])),
  };
}

/** Puts the secrets back that `withoutSecrets` has taken out. A header that cannot be read is left out of the upstream; `places` names whatever cannot be read. */
export function withSecrets(upstream: Upstream, secretIds: SecretPlaces, secretBox: SecretBox): { readonly entry: StoredUpstream; readonly places: readonly string[] } {
  const places: string[] = [];
  const unreadable: Record<string, string> = {};
  const read = (place: string): string | null => {
    const secret = secretBox.get(secretIds[place] ?? '');
    if (secret.kind === 'value') return secret.value;
    places.push(place);
    return null;
  };
  const headers = Object.entries(upstream.headers).flatMap(([name, value]): [string, string][] => {
    if (secretIds[headerPlace(name)] === undefined) return [[name, value]];
    const secret = read(headerPlace(name));
    if (secret === null) unreadable[name] = value;
    return secret === null ? [] : [[name, secret]];
  });
  const proxy = secretIds[PROXY] === undefined ? upstream.proxy : read(PROXY) ?? NO_PROXY_TO_BE_FOUND;
  return { entry: { upstream: { ...upstream, headers: Object.fromEntries(headers), proxy }, secretIds, ...(Object.keys(unreadable).length > 0 && { unreadable }) }, places };
}

/** The secrets that stand in an upstream itself: headers by name, and the whole proxy where it holds a user or password; `proxyHost` is the proxy without them. */
export function secretParts(upstream: Upstream): { readonly headers: readonly (readonly [string, string])[]; readonly proxy: string | null; readonly proxyHost: string } {
  const { protocol, host } = hasPassword(upstream.proxy) ? new URL(upstream.proxy) : { protocol: '', host: '' };
  return {
    headers: Object.entries(upstream.headers).filter(([name]) => isSecretHeader(name)),
    proxy: protocol === '' ? null : upstream.proxy,
    proxyHost: protocol === '' ? upstream.proxy : `${protocol}//${host}`,
  };
}

function hasPassword(proxy: string): boolean {
  return URL.canParse(proxy) && (new URL(proxy).password !== '' || new URL(proxy).username !== '');
}

function maskedProxy(proxy: string): string {
  const { protocol, host } = new URL(proxy);
  return `${protocol}//...@${host}`;
}
