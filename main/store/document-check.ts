import { documentSchema, type DocumentFault, type HoldfastDocument } from '../../shared/document.ts';
import { routeSchema, type Route } from '../../shared/route.ts';
import { issueSentence, type Settings } from '../../shared/settings.ts';
import { upstreamDocumentSchema, type Upstream, type UpstreamDocument } from '../../shared/upstream.ts';
import type { ConfigurationState } from './configuration-state.ts';
import { pathText, schemaFaults } from './document-faults.ts';
import { checkSettings } from './setting-check.ts';
import { checkUpstream } from './upstream-check.ts';

/** What a document without faults asks for. */
export interface CheckedDocument {
  readonly settings: Partial<Settings>;
  readonly upstreams: readonly { readonly upstream: Upstream; /** The secret to be stored; null when there is none. */ readonly secret: string | null }[];
  /** Null when the document says nothing of routes: then they stay. */
  readonly routes: readonly Route[] | null;
  readonly keys: HoldfastDocument['keys'];
}
export type DocumentCheck = { readonly ok: true; readonly document: CheckedDocument } | { readonly ok: false; readonly faults: readonly DocumentFault[] };

/** Checks an import document against its schema and against what is there (SPEC 18.2). Finds every fault, not only the first. */
export function checkDocument(input: unknown, state: ConfigurationState, anyPort: boolean): DocumentCheck {
  const parsed = documentSchema.safeParse(input, { reportInput: true });
  const faults: DocumentFault[] = parsed.success ? [] : schemaFaults(parsed.error.issues);

  const given = isRecord(input) ? input : {};
  const settings = checkSettings(state.settings, isRecord(given['settings']) ? given['settings'] : {}, anyPort);
  if (!settings.ok) faults.push(...settings.issues.map((issue) => ({ path: pathText(['settings', issue.key, ...(issue.path === '' ? [] : [issue.path])]), message: issueSentence(issue) })));

  const port = (settings.ok ? settings.change['gateway.port'] : undefined) ?? state.settings['gateway.port'];
  const upstreams = checkUpstreams(listOf(given['upstreams']), port, faults);
  checkRoutes(listOf(given['routes']), knownUpstreams(state, listOf(given['upstreams'])), faults);
  reportTwice(listOf(given['keys']), 'keys', 'name', faults);
  reportTwice(listOf(given['keys']), 'keys', 'key', faults);

  if (!parsed.success || !settings.ok || faults.length > 0) return { ok: false, faults };
  const routes = given['routes'] === undefined ? null : parsed.data.routes;
  return { ok: true, document: { settings: settings.change, upstreams, routes, keys: parsed.data.keys } };
}

// Each entry is looked at by itself, so that a fault in one does not hide those of the others.
function checkUpstreams(entries: readonly unknown[], port: number, faults: DocumentFault[]): CheckedDocument['upstreams'] {
  reportTwice(entries, 'upstreams', 'id', faults);
  return entries.flatMap((entry, index) => {
    const parsed = upstreamDocumentSchema.safeParse(entry);
    if (!parsed.success) return [];
    const checked = checkUpstream(parsed.data, port);
    if (checked.ok) return [{ upstream: checked.upstream, secret: secretOf(parsed.data) }];
    faults.push(...checked.faults.map((fault) => ({ path: `upstreams[${index}].${fault.path}`, message: fault.message })));
    return [];
  });
}

function secretOf({ credential }: UpstreamDocument): string | null {
  return credential.kind === 'stored' ? credential.value : null;
}

function checkRoutes(entries: readonly unknown[], known: ReadonlySet<unknown>, faults: DocumentFault[]): void {
  reportTwice(entries, 'routes', 'id', faults);
  entries.forEach((entry, index) => {
    const route = routeSchema.safeParse(entry).data;
    route?.candidates.forEach((candidate, place) => {
      if (!known.has(candidate.upstream)) faults.push({ path: `routes[${index}].candidates[${place}].upstream`, message: `names no upstream: there is none with the id ${JSON.stringify(candidate.upstream)}` });
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
    else faults.push({ path: `${list}[${index}].${field}`, message: `is the same as that of ${list}[${before}]` });
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
