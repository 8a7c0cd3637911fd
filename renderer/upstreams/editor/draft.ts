import { normaliseBaseUrl, type BaseUrlFault } from '../../../shared/base-url.ts';
import type { DocumentFault } from '../../../shared/document.ts';
import type { FormatName } from '../../../shared/format.ts';
import { presetFacts, PRESETS, type PresetFacts } from '../../../shared/presets.ts';
import type { CredentialDocument, Upstream, UpstreamPreset } from '../../../shared/upstream.ts';
import type { NewUpstream, UpstreamDraft } from '../../../shared/upstream-edits.ts';

/** What the editor holds while an upstream is being typed. */
export interface EditorDraft {
  readonly preset: UpstreamPreset;
  readonly name: string;
  readonly baseUrl: string;
  readonly formats: readonly FormatName[];
  readonly credential: CredentialDocument['kind'];
  /** Typed anew; empty keeps the saved one. */
  readonly key: string;
  readonly envName: string;
  readonly headers: readonly HeaderLine[];
  readonly proxy: 'system' | 'none' | 'address';
  readonly proxyAddress: string;
  readonly models: readonly string[];
  /** As typed; empty means no cap. */
  readonly maxInFlight: string;
}
/** One extra header; `id` only tells lines apart. */
export interface HeaderLine { readonly id: number; readonly name: string; readonly value: string }

/** Fields that can show a fault. */
export type DraftField = 'name' | 'base_url' | 'formats' | 'credential' | 'headers' | 'proxy' | 'models' | 'max_in_flight' | 'form';

/** Why a field cannot be saved as it is. Closed: also i18n keys under `editor.fault`. */
export type DraftFault = 'name_missing' | 'formats_missing' | 'key_missing' | 'key_characters' | 'env_name' | 'header_name' | 'header_value' | 'header_twice' | 'proxy_address' | 'cap_range' | `url_${BaseUrlFault}`;

/** What a header can carry; a pasted key with anything else would break each request. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The largest cap of requests in flight. */
export const MOST_IN_FLIGHT = 10_000;

/** A new upstream with what the preset knows filled in; an unknown id is the generic one. */
export function newDraft(presetId: string): EditorDraft {
  const facts = factsOf(presetId);
  return {
    preset: facts.id, name: facts.name ?? '', baseUrl: facts.baseUrl, formats: facts.formats, credential: facts.wantsKey ? 'stored' : 'none', key: '', envName: '',
    headers: [], proxy: 'system', proxyAddress: '', models: [], maxInFlight: '',
  };
}

/** The draft under another preset: what the old one had filled in makes room, what was typed stays. */
export function withPreset(draft: EditorDraft, presetId: string): EditorDraft {
  const old = newDraft(draft.preset);
  const fresh = newDraft(presetId);
  return { ...draft, preset: fresh.preset, formats: fresh.formats, name: draft.name.trim() === old.name ? fresh.name : draft.name, baseUrl: draft.baseUrl === old.baseUrl ? fresh.baseUrl : draft.baseUrl, credential: draft.credential === old.credential ? fresh.credential : draft.credential };
}

/** What is saved, to be edited. */
export function draftOf(upstream: Upstream): EditorDraft {
  const { preset, name, baseUrl, formats, credential, headers, proxy, models, maxInFlight } = upstream;
  const address = proxy !== 'system' && proxy !== 'none';
  return {
    preset, name, baseUrl, formats, credential: credential.kind, key: '', envName: credential.kind === 'env' ? credential.name : '',
    headers: Object.entries(headers).map(([header, value], id) => ({ id, name: header, value })),
    proxy: address ? 'address' : proxy, proxyAddress: address ? proxy : '', models, maxInFlight: maxInFlight === 0 ? '' : String(maxInFlight),
  };
}

function factsOf(presetId: string): PresetFacts {
  return PRESETS.find((one) => one.id === presetId) ?? (PRESETS.at(-1) as PresetFacts);
}

/** What is wrong with the draft, by field; empty when it can be sent. `saved` is the upstream that is edited. */
export function faultsOf(draft: EditorDraft, saved: Upstream | null): Partial<Record<DraftField, DraftFault>> {
  const url = normaliseBaseUrl(draft.baseUrl, draft.preset);
  const headers = headerFault(draft.headers);
  const credential = credentialFault(draft, saved);
  return {
    ...(draft.name.trim() === '' && { name: 'name_missing' as const }),
    ...(!url.ok && { base_url: `url_${url.code}` as const }),
    ...(draft.formats.length === 0 && { formats: 'formats_missing' as const }),
    ...(credential !== null && { credential }),
    ...(headers !== null && { headers }),
    ...(draft.proxy === 'address' && draft.proxyAddress !== saved?.proxy && !isProxy(draft.proxyAddress) && { proxy: 'proxy_address' as const }),
    ...(capOf(draft.maxInFlight) === null && { max_in_flight: 'cap_range' as const }),
  };
}

function credentialFault(draft: EditorDraft, saved: Upstream | null): DraftFault | null {
  if (draft.credential === 'env') return /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(trimEnvName(draft.envName)) ? null : 'env_name';
  if (draft.credential === 'stored' && !HEADER_VALUE.test(trimKey(draft.key))) return 'key_characters';
  const keeps = saved?.credential.kind === 'stored';
  return draft.credential === 'stored' && !keeps && mustHaveKey(draft.preset) && trimKey(draft.key) === '' ? 'key_missing' : null;
}

/** Whether an upstream of this preset is of no use without a key; a compatible one may want none. */
export function mustHaveKey(preset: UpstreamPreset): boolean {
  return preset !== 'generic' && presetFacts(preset)?.wantsKey === true;
}

function headerFault(headers: readonly HeaderLine[]): DraftFault | null {
  const used = headers.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '');
  const names = used.map(({ name }) => name.trim().toLowerCase());
  if (!names.every((name) => /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))) return 'header_name';
  if (new Set(names).size < names.length) return 'header_twice';
  return used.every(({ value }) => HEADER_VALUE.test(value)) ? null : 'header_value';
}

function isProxy(text: string): boolean {
  return URL.canParse(text.trim()) && ['http:', 'https:', 'socks5:'].includes(new URL(text.trim()).protocol) && new URL(text.trim()).hostname !== '';
}

/** The cap as a number, 0 for none; null when the text is none. */
function capOf(text: string): number | null {
  const cap = text.trim() === '' ? 0 : Number(text);
  return Number.isInteger(cap) && cap >= 0 && cap <= MOST_IN_FLIGHT ? cap : null;
}

/** A pasted key without what surrounds it: blanks, line ends, quotes, `Bearer`, `NAME=`. */
export function trimKey(text: string): string {
  return text.trim().replace(/^(?:export\s+)?[A-Z][A-Z0-9_]*=/, '').replace(/^["']|["']$/g, '').replace(/^Bearer\s+/i, '').trim();
}

/** The name of an environment variable, also when it was typed as `$NAME`, `${NAME}` or `env:NAME`. */
export function trimEnvName(text: string): string {
  return text.trim().replace(/^env:/i, '').replace(/^\$\{?/, '').replace(/\}$/, '');
}

/** What is sent to main for an upstream that is saved, or for a test. `enabled` is not the editor's to change. */
export function toUpstreamDraft(draft: EditorDraft, enabled: boolean): UpstreamDraft {
  return {
    preset: draft.preset, name: draft.name.trim(), base_url: draft.baseUrl.trim(), formats: draft.formats, credential: credentialOf(draft),
    headers: Object.fromEntries(draft.headers.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value.trim()])),
    proxy: draft.proxy === 'address' ? draft.proxyAddress.trim() : draft.proxy, models: draft.models, max_in_flight: capOf(draft.maxInFlight) ?? 0, enabled,
  };
}

/** What is sent to main for a new upstream. */
export function toNewUpstream(draft: EditorDraft): NewUpstream {
  const whole = toUpstreamDraft(draft, true);
  return { ...whole, credential: whole.credential ?? { kind: 'none' } };
}

function credentialOf(draft: EditorDraft): CredentialDocument | null {
  const value = trimKey(draft.key);
  if (draft.credential === 'stored') return value === '' ? null : { kind: 'stored', value };
  return draft.credential === 'env' ? { kind: 'env', name: trimEnvName(draft.envName) } : { kind: draft.credential };
}

const FIELDS = ['name', 'base_url', 'formats', 'credential', 'headers', 'proxy', 'models', 'max_in_flight'] as const satisfies readonly DraftField[];

/** The field a fault of main belongs to, by its dotted path. */
export function fieldOf(fault: Pick<DocumentFault, 'path'>): DraftField {
  const first = fault.path.split(/[.[]/)[0] ?? '';
  return FIELDS.find((field) => field === first) ?? 'form';
}
