import type { DocumentFault } from '../../shared/document.ts';
import { upstreamDocumentSchema, type Upstream } from '../../shared/upstream.ts';
import type { UpstreamDraft } from '../../shared/upstream-edits.ts';
import type { UpstreamProbe } from '../../shared/upstream-test.ts';
import type { CredentialLookup, Credentials } from '../gateway/ports.ts';
import { schemaFaults } from './document-faults.ts';
import { faultOf } from './fault-words.ts';
import type { Memory } from './memory.ts';
import { checkUpstream } from './upstream-check.ts';
import { shownAs, type StoredUpstream } from './upstream-secrets.ts';

/** A draft that can be used. */
export type DraftCheck =
  | { readonly ok: true; readonly upstream: Upstream; /** The secret given anew; null when there is none, or the saved one stays. */ readonly secret: string | null }
  | { readonly ok: false; readonly faults: readonly DocumentFault[] };

/** Checks what the editor holds (SPEC 2.1, 2.2, 2.6). `before` is what is saved: what the draft does not say anew is taken from there. */
export function checkDraft(draft: UpstreamDraft, before: StoredUpstream | null, gatewayPort: number): DraftCheck {
  const saved = before?.upstream ?? null;
  const document = {
    ...draft, id: saved?.id ?? 'draft', credential: draft.credential ?? { kind: 'none' },
    headers: Object.fromEntries(Object.entries(draft.headers).map(([name, value]) => [name, saved === null ? value : shownAs(saved, name, value)])),
    proxy: saved === null ? draft.proxy : shownAs(saved, null, draft.proxy),
  };
  const parsed = upstreamDocumentSchema.safeParse(document, { reportInput: true });
  if (!parsed.success) return { ok: false, faults: schemaFaults(parsed.error.issues) };
  const checked = checkUpstream(parsed.data, gatewayPort);
  if (!checked.ok) return checked;
  const { credential } = parsed.data;
  const kept = draft.credential === null ? saved?.credential : undefined;
  return { ok: true, upstream: { ...checked.upstream, credential: kept ?? checked.upstream.credential }, secret: credential.kind === 'stored' ? credential.value : null };
}

/** What a test or a fetch of models works with. */
export type ResolvedProbe =
  | { readonly ok: true; readonly upstream: Upstream; readonly credential: CredentialLookup }
  | { readonly ok: false; readonly faults: readonly DocumentFault[] };

/** Makes an upstream and its key of a probe. A draft need not be complete: a missing name or format is no fault here. */
export function resolveProbe(memory: Memory, credentials: Credentials, probe: UpstreamProbe): ResolvedProbe {
  const { upstreams, settings } = memory.state();
  const before = probe.id === null ? null : upstreams.find((entry) => entry.upstream.id === probe.id) ?? null;
  if (probe.kind === 'saved') {
    return before === null ? { ok: false, faults: [faultOf('', 'gone')] } : { ok: true, upstream: before.upstream, credential: credentials.of(before.upstream) };
  }
  const { upstream: draft } = probe;
  const complete: UpstreamDraft = { ...draft, name: draft.name.trim() === '' ? 'draft' : draft.name, formats: draft.formats.length === 0 ? ['chat'] : draft.formats, models: [], max_in_flight: 0 };
  const checked = checkDraft(complete, before, settings['gateway.port']);
  if (!checked.ok) return checked;
  const { upstream, secret } = checked;
  return { ok: true, upstream, credential: secret === null ? credentials.of(upstream) : { kind: 'secret', value: secret } };
}
