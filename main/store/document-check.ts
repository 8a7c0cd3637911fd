import { documentSchema, documentUpstreamSchema, type DocumentFault, type DocumentUpstream, type HoldfastDocument } from '../../shared/document.ts';
import type { Route } from '../../shared/route.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Upstream } from '../../shared/upstream.ts';
import type { ConfigurationState } from './configuration-state.ts';
import { schemaFaults } from './document-faults.ts';
import { limitFaults, shortened } from './document-limits.ts';
import type { DocumentSecrets } from './document-secrets.ts';
import { faultOf, pathText, settingFault, shownName } from './fault-words.ts';
import { checkSettings } from './setting-check.ts';
import { checkUpstream, placeFaults } from './upstream-check.ts';

/** An upstream of a document, its secrets as far as they came along. */
export interface CheckedUpstream {
  readonly upstream: Upstream;
  /** The credential to be stored; null when there is none, or it was left out. */
  readonly secret: string | null;
  /** What was left out and did not come along: `credential`, `proxy`, `header:<name>`. */
  readonly withheld: readonly string[];
}

/** What a document without faults asks for. */
export interface CheckedDocument {
  readonly settings: Partial<Settings>;
  readonly upstreams: readonly CheckedUpstream[];
  /** Null when the document says nothing of routes: then they stay. */
  readonly routes: readonly Route[] | null;
  readonly keys: HoldfastDocument['keys'];
  /** Its secrets, encrypted; null when there are none. */
  readonly sealed: string | null;
}
export type DocumentCheck = { readonly ok: true; readonly document: CheckedDocument } | { readonly ok: false; readonly faults: readonly DocumentFault[] };

/** Checks an import document against its schema and against what is there (SPEC 18.2). Finds every fault, not only the first, as long as they are few. `secrets` are those that were encrypted in it. */
export function checkDocument(input: unknown, state: ConfigurationState, anyPort: boolean, secrets: DocumentSecrets | null = null): DocumentCheck {
  const beyond = limitFaults(input);
  if (beyond.length > 0) return { ok: false, faults: shortened(beyond) };
  const parsed = documentSchema.safeParse(input, { reportInput: true });
  const faults: DocumentFault[] = parsed.success ? [] : schemaFaults(parsed.error.issues);

  const given = isRecord(input) ? input : {};
  const settings = checkSettings(state.settings, isRecord(given['settings']) ? given['settings'] : {}, anyPort);
  if (!settings.ok) faults.push(...settings.issues.map((issue) => settingFault(pathText(['settings', issue.key, ...(issue.path === '' ? [] : [issue.path])]), issue)));

  const port = (settings.ok ? settings.change['gateway.port'] : undefined) ?? state.settings['gateway.port'];
  const upstreams = checkUpstreams(listOf(given['upstreams']), port, secrets, faults);
  checkRoutes(listOf(given['routes']), knownUpstreams(state, listOf(given['upstreams'])), faults);
  reportTwice(listOf(given['keys']), 'keys', 'name', faults);
  reportTwice(listOf(given['keys']), 'keys', 'key', faults);

  if (!parsed.success || !settings.ok || faults.length > 0) return { ok: false, faults: shortened(faults) };
  const routes = given['routes'] === undefined ? null : parsed.data.routes;
  return { ok: true, document: { settings: settings.change, upstreams, routes, keys: parsed.data.keys, sealed: parsed.data.secrets ?? null } };
}

// Each entry is looked at by itself, so that a fault in one does not hide those of the others, nor one field's those of another.
function checkUpstreams(entries: readonly unknown[], port: number, secrets: DocumentSecrets | null, faults: DocumentFault[]): readonly CheckedUpstream[] {
  reportTwice(entries, 'upstreams', 'id', faults);
  return entries.flatMap((entry, index) => {
    const parsed = documentUpstreamSchema.safeParse(entry);
    const found = (more: readonly DocumentFault[]): void => { faults.push(...more.map((fault) => ({ ...fault, path: `upstreams[${index}].${fault.path}` }))); };
    if (!parsed.success) {
      if (isRecord(entry)) found(placeFaults(readableParts(entry), port));
      return [];
    }
    const checked = checkUpstream({ ...parsed.data, credential: credentialOf(parsed.data) }, port);
    if (!checked.ok) {
      found(checked.faults);
      return [];
    }
    const filled = withGivenSecrets(checked.upstream, parsed.data, secrets);
    if (filled === 'elsewhere') found([faultOf('base_url', 'secrets_elsewhere')]);
    return filled === 'elsewhere' ? [] : [filled];
  });
}

// What is right of an upstream with faults; the rest is as if it were harmless.
function readableParts(entry: Readonly<Record<string, unknown>>): Parameters<typeof placeFaults>[0] {
  const { preset, base_url, proxy, headers } = documentUpstreamSchema.shape;
  return {
    preset: preset.safeParse(entry['preset']).data ?? 'generic',
    base_url: base_url.safeParse(entry['base_url']).data ?? 'https://upstream.invalid',
    proxy: proxy.safeParse(entry['proxy']).data ?? 'none',
    headers: headers.safeParse(entry['headers']).data ?? {},
  };
}

function credentialOf({ credential }: DocumentUpstream): Exclude<DocumentUpstream['credential'], { readonly kind: 'withheld' }> {
  return credential.kind === 'withheld' ? { kind: 'none' } : credential;
}

// A secret goes only where it was saved for: somebody may have put another address beside it.
function withGivenSecrets(upstream: Upstream, { credential, withheld = [] }: DocumentUpstream, secrets: DocumentSecrets | null): CheckedUpstream | 'elsewhere' {
  const given = secrets?.upstreams.find(({ id }) => id === upstream.id);
  const places = [...(credential.kind === 'withheld' ? ['credential'] : []), ...withheld.map((place) => place.toLowerCase())];
  const held: Upstream = credential.kind === 'withheld' ? { ...upstream, credential: { kind: 'stored', hint: shownName(credential.hint) } } : upstream;
  const own = credential.kind === 'stored' ? credential.value : null;
  if (given === undefined || places.length === 0) return { upstream: held, secret: own, withheld: places };
  if (given.base_url !== upstream.baseUrl || given.proxy_host !== upstream.proxy) return 'elsewhere';
  const headers = Object.fromEntries(given.headers.filter(([name]) => places.includes(`header:${name.toLowerCase()}`)));
  const came = new Set([...(given.credential === null ? [] : ['credential']), ...(given.proxy === null ? [] : ['proxy']), ...Object.keys(headers).map((name) => `header:${name.toLowerCase()}`)]);
  return {
    upstream: { ...held, headers: { ...held.headers, ...headers }, proxy: places.includes('proxy') && given.proxy !== null ? given.proxy : held.proxy },
    secret: places.includes('credential') ? given.credential : own,
    withheld: places.filter((place) => !came.has(place)),
  };
}

function checkRoutes(entries: readonly unknown[], known: ReadonlySet<unknown>, faults: DocumentFault[]): void {
  reportTwice(entries, 'routes', 'id', faults);
  entries.forEach((entry, index) => {
    // As it stands there, not as the schema reads it: a fault of the route must not hide where it leads.
    listOf(isRecord(entry) ? entry['candidates'] : undefined).slice(0, 100).forEach((candidate, place) => {
      const upstream = isRecord(candidate) ? candidate['upstream'] : undefined;
      if (typeof upstream === 'string' && upstream !== '' && !known.has(upstream)) faults.push(faultOf(`routes[${index}].candidates[${place}].upstream`, 'no_upstream', { id: shownName(upstream) }));
    });
  });
}

// Also those with faults of their own count: a route to them is right as soon as they are.
function knownUpstreams(state: ConfigurationState, entries: readonly unknown[]): ReadonlySet<unknown> {
  return new Set([...state.upstreams.map(({ upstream }) => upstream.id), ...entries.map((entry) => (isRecord(entry) ? entry['id'] : undefined))]);
}

function reportTwice(entries: readonly unknown[], list: string, field: string, faults: DocumentFault[]): void {
  const first = new Map<unknown, number>();
  entries.forEach((entry, index) => {
    const value = isRecord(entry) ? entry[field] : undefined;
    if (typeof value !== 'string') return;
    const before = first.get(value);
    if (before === undefined) first.set(value, index);
    else faults.push(faultOf(`${list}[${index}].${field}`, 'same_as', { place: `${list}[${before}]` }));
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
