import type { Settings } from '../../../../shared/settings.ts';

/** What is known about where an exchange belongs (SPEC 9.5). */
export interface AffinityFacts {
  readonly mode: Settings['gateway.affinity'];
  /** The upstream that made the last sealed item of the history, and whether it can be asked: it is there, enabled and speaks the format. Null without a known seal. */
  readonly sealedBy: { readonly upstreamId: string; readonly usable: boolean } | null;
  /** The upstream that answered this conversation last; null when that is not known. */
  readonly conversationOn: string | null;
}

/** Where an exchange is drawn to. */
export type Leaning =
  /** Nowhere: the strategy decides. */
  | { readonly kind: 'free' }
  /** These first, if they are admitted and not full. */
  | { readonly kind: 'prefer'; readonly upstreamId: string }
  /** To these alone. */
  | { readonly kind: 'only'; readonly upstreamId: string }
  /** To an upstream that cannot be asked: nobody else can read the history. */
  | { readonly kind: 'sealed_elsewhere'; readonly upstreamId: string };

/** Where an exchange is drawn to, given the upstreams that its route admits. A seal outranks the conversation, in every mode. */
export function leaningOf(admitted: readonly string[], { mode, sealedBy, conversationOn }: AffinityFacts): Leaning {
  if (sealedBy !== null && !sealedBy.usable) return { kind: 'sealed_elsewhere', upstreamId: sealedBy.upstreamId };
  // A route that does not lead to where the seal was made is the user's will: another model, another provider. Then nothing is pinned.
  if (sealedBy !== null && admitted.includes(sealedBy.upstreamId)) return { kind: 'only', upstreamId: sealedBy.upstreamId };
  if (mode === 'off' || conversationOn === null || !admitted.includes(conversationOn)) return { kind: 'free' };
  return { kind: mode === 'strict' ? 'only' : 'prefer', upstreamId: conversationOn };
}

/** The candidates of this upstream first, the others behind them; both in their order. */
export function withFirst<C extends { readonly upstreamId: string }>(candidates: readonly C[], upstreamId: string): readonly C[] {
  const isFirst = (candidate: C) => candidate.upstreamId === upstreamId;
  return [...candidates.filter(isFirst), ...candidates.filter((candidate) => !isFirst(candidate))];
}
