import type { DocumentFault } from './document.ts';
import type { FormatName } from './format.ts';
import type { Route } from './route.ts';
import type { CredentialDocument, Upstream, UpstreamPreset } from './upstream.ts';

/** How long a removal can be taken back, ms; the secrets of what was removed are kept as long (SPEC 2.3). */
export const UNDO_MS = 30_000;

/** An upstream as the editor holds it. Fields have the names of the document (SPEC 18.2). */
export interface UpstreamDraft {
  readonly preset: UpstreamPreset;
  readonly name: string;
  readonly base_url: string;
  readonly formats: readonly FormatName[];
  /** Null keeps the credential that is saved; of a new upstream it means none. */
  readonly credential: CredentialDocument | null;
  /** A secret header or a proxy that is given back as it was shown (`sk-...abcd`) keeps its saved value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly proxy: string;
  readonly models: readonly string[];
  readonly max_in_flight: number;
  readonly enabled: boolean;
}

/** An upstream that is to be added; what is left out has the default of the document. */
export interface NewUpstream {
  readonly preset: UpstreamPreset;
  readonly name: string;
  readonly base_url: string;
  readonly formats: readonly FormatName[];
  readonly credential: CredentialDocument;
  readonly headers?: Readonly<Record<string, string>>;
  readonly proxy?: string;
  readonly models?: readonly string[];
  readonly max_in_flight?: number;
  readonly enabled?: boolean;
}

/** Faults have the paths of the document: `base_url`, `credential.value`, `headers.x-team`, `proxy`. */
export type UpstreamSaved =
  | { readonly ok: true; readonly upstream: Upstream }
  | { readonly ok: false; readonly faults: readonly DocumentFault[] };

/** A route that names an upstream. */
export interface RouteUse {
  readonly id: string;
  readonly pattern: string;
  /** It is the only upstream of this route: without it nobody takes these models. */
  readonly only: boolean;
}

/** A removal that can be taken back by `undo` until then. */
export interface Undo {
  readonly undo: string;
  /** Ms since 1970. */
  readonly until: number;
}

export type UpstreamRemoved = { readonly kind: 'removed'; /** Routes it was taken out of. */ readonly usedBy: readonly RouteUse[] } & Undo | { readonly kind: 'unknown' };
export type RouteRemoved = { readonly kind: 'removed' } & Undo | { readonly kind: 'unknown' };

/** How taking back went. `expired`: too late, or taken back already; `taken`: another one has its id by now. */
export type Restored = 'restored' | 'expired' | 'taken';

/** A route as the editor holds it: without an id it is a new one, put behind the others. */
export type RouteDraft = Omit<Route, 'id'> & { readonly id: string | null };

/** Faults have the paths of the document: `pattern`, `candidates[1].upstream`, `policy.retry_wait_secs`. */
export type RouteSaved =
  | { readonly ok: true; readonly route: Route }
  | { readonly ok: false; readonly faults: readonly DocumentFault[] };

/** One of the models asked for lately, held against a pattern that is being typed. */
export interface PreviewedModel {
  readonly model: string;
  readonly matches: boolean;
  /** Id of the route ahead of this one that takes it; null when none does. */
  readonly takenBy: string | null;
}
