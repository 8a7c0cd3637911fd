import type { DocumentFault } from '../../../shared/document.ts';
import type { RetryPreset, RoutePolicy } from '../../../shared/policy.ts';
import type { Route, Strategy } from '../../../shared/route.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import type { RouteDraft } from '../../../shared/upstream-edits.ts';

/** A candidate while it is edited; `key` only tells lines apart. */
export interface CandidateDraft {
  readonly key: string;
  readonly upstream: string;
  /** Empty keeps the model the client asks for. */
  readonly model: string;
  /** As typed; empty is 1. */
  readonly weight: string;
}

/** What the editor holds while a route is being typed. */
export interface RouteEdit {
  readonly pattern: string;
  readonly strategy: Strategy;
  readonly candidates: readonly CandidateDraft[];
  /** `settings`: no override. */
  readonly preset: RetryPreset | 'settings';
  /** As typed; empty is that of the settings. */
  readonly waitSecs: string;
}

/** Fields that can show a fault. */
export type RouteField = 'pattern' | 'candidates' | 'policy' | 'form';
/** Why a field cannot be saved as it is. Closed: also i18n keys under `route.fault`. */
export type RouteFault = 'pattern_missing' | 'candidates_missing' | 'weight_range' | 'wait_range';

/** A route that is begun: the strategy of the settings, the first upstream as candidate. */
export function newRoute(strategy: Strategy, upstreams: readonly Upstream[]): RouteEdit {
  const first = upstreams.find((one) => one.enabled) ?? upstreams[0];
  return { pattern: '', strategy, candidates: first === undefined ? [] : [{ key: '0', upstream: first.id, model: '', weight: '' }], preset: 'settings', waitSecs: '' };
}

/** A saved route, to be edited. */
export function editOf(route: Route): RouteEdit {
  return {
    pattern: route.pattern, strategy: route.strategy, preset: route.policy?.preset ?? 'settings', waitSecs: route.policy?.retry_wait_secs === undefined ? '' : String(route.policy.retry_wait_secs),
    candidates: route.candidates.map(({ upstream, model, weight }, index) => ({ key: String(index), upstream, model: model ?? '', weight: weight === undefined ? '' : String(weight) })),
  };
}

/** The edit with one more candidate: the first upstream that is not in it yet. */
export function withCandidate(edit: RouteEdit, upstreams: readonly Upstream[]): RouteEdit {
  const next = upstreams.find((one) => !edit.candidates.some(({ upstream }) => upstream === one.id)) ?? upstreams[0];
  if (next === undefined) return edit;
  const key = String(Math.max(-1, ...edit.candidates.map((one) => Number(one.key))) + 1);
  return { ...edit, candidates: [...edit.candidates, { key, upstream: next.id, model: '', weight: '' }] };
}

/** What is wrong with the edit, by field; empty when it can be sent. */
export function routeFaults(edit: RouteEdit): Partial<Record<RouteField, RouteFault>> {
  const weights = edit.strategy !== 'weighted' || edit.candidates.every(({ weight }) => wholeIn(weight, 1, 1_000));
  return {
    ...(edit.pattern.trim() === '' && { pattern: 'pattern_missing' as const }),
    ...(edit.candidates.length === 0 ? { candidates: 'candidates_missing' as const } : !weights && { candidates: 'weight_range' as const }),
    ...(edit.preset !== 'settings' && !wholeIn(edit.waitSecs, 0, 600) && { policy: 'wait_range' as const }),
  };
}

// Empty stands for what is in force without it.
function wholeIn(text: string, min: number, max: number): boolean {
  if (text.trim() === '') return true;
  const value = Number(text);
  return Number.isInteger(value) && value >= min && value <= max;
}

/** The override the edit means; `saved` gives its own custom values, which the editor does not change. */
export function policyOf(edit: Pick<RouteEdit, 'preset' | 'waitSecs'>, saved: Route | null): RoutePolicy {
  if (edit.preset === 'settings') return null;
  const own = edit.preset === 'custom' ? saved?.policy?.policy : undefined;
  return { preset: edit.preset, ...(own !== undefined && { policy: own }), ...(edit.waitSecs.trim() !== '' && { retry_wait_secs: Number(edit.waitSecs) }) };
}

/** What is sent to main. Weights go along only where they count. */
export function toRouteDraft(edit: RouteEdit, saved: Route | null): RouteDraft {
  return {
    id: saved?.id ?? null, pattern: edit.pattern.trim(), strategy: edit.strategy, policy: policyOf(edit, saved),
    candidates: edit.candidates.map(({ upstream, model, weight }) => ({ upstream, model: model.trim() === '' ? null : model.trim(), ...(edit.strategy === 'weighted' && weight.trim() !== '' && { weight: Number(weight) }) })),
  };
}

/** The field a fault of main belongs to, by its dotted path. */
export function routeFieldOf(fault: Pick<DocumentFault, 'path'>): RouteField {
  const first = fault.path.split(/[.[]/)[0];
  return first === 'pattern' || first === 'candidates' || first === 'policy' ? first : 'form';
}
