import { normaliseBaseUrl, type BaseUrlFault } from '../../shared/base-url.ts';
import type { DocumentFault } from '../../shared/document.ts';
import type { FormatName } from '../../shared/format.ts';
import type { NewUpstream } from '../../shared/ipc.ts';
import { presetForm, type PresetForm } from './upstream-presets.ts';

/** What the dialog holds while an upstream is being typed. */
export interface UpstreamDraft {
  readonly preset: PresetForm['id'];
  readonly name: string;
  readonly baseUrl: string;
  readonly formats: readonly FormatName[];
  readonly key: string;
}

/** Fields that can show a fault. */
export type DraftField = 'name' | 'base_url' | 'formats' | 'key' | 'form';

/** A draft with what the preset knows filled in; a key that was typed stays. */
export function draftOf(presetId: string, key: string): UpstreamDraft {
  const form = presetForm(presetId);
  return { preset: form.id, name: form.name ?? '', baseUrl: form.baseUrl, formats: form.formats, key };
}

/** Why a field cannot be saved as it is. Closed: also i18n keys under `add.fault`. */
export type DraftFault = 'name_missing' | 'formats_missing' | 'key_missing' | `url_${BaseUrlFault}`;

/** What is wrong with the draft, by field; empty when it can be sent. */
export function faultsOf(draft: UpstreamDraft): Partial<Record<DraftField, DraftFault>> {
  const url = normaliseBaseUrl(draft.baseUrl);
  return {
    ...(draft.name.trim() === '' && { name: 'name_missing' as const }),
    ...(!url.ok && { base_url: `url_${url.code}` as const }),
    ...(draft.formats.length === 0 && { formats: 'formats_missing' as const }),
    ...(presetForm(draft.preset).wantsKey && draft.preset !== 'generic' && trimKey(draft.key) === '' && { key: 'key_missing' as const }),
  };
}

/** A pasted key without what surrounds it: blanks, line ends, quotes, `Bearer`, `NAME=`. */
export function trimKey(text: string): string {
  return text.trim().replace(/^(?:export\s+)?[A-Z][A-Z0-9_]*=/, '').replace(/^["']|["']$/g, '').replace(/^Bearer\s+/i, '').trim();
}

/** What is sent to main; an empty key means none is wanted. */
export function toNewUpstream(draft: UpstreamDraft): NewUpstream {
  const value = trimKey(draft.key);
  return {
    preset: draft.preset, name: draft.name.trim(), base_url: draft.baseUrl.trim(), formats: draft.formats,
    credential: value === '' ? { kind: 'none' } : { kind: 'stored', value },
  };
}

/** The field a fault of main belongs to, by its dotted path. */
export function fieldOf(fault: DocumentFault): DraftField {
  const last = fault.path.split('.');
  const known = (['name', 'base_url', 'formats'] as const).find((field) => last.some((step) => step.replace(/\[\d+\]$/, '') === field));
  return known ?? (last.includes('credential') ? 'key' : 'form');
}
