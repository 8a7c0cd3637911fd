// What is checked before a route is sent to main, and which routes are never reached (UI.md, Routes; SPEC 9.1, 9.2, 8.2).
import { describe, expect, it } from 'vitest';
import { editOf, newRoute, routeFaults, routeFieldOf, toRouteDraft, withCandidate } from '../../renderer/routes/editor/route-draft.ts';
import { takenWholeBy } from '../../renderer/routes/reach.ts';
import { routeSchema, type Route } from '../../shared/route.ts';
import { DEMO } from './support/fake-bridge.ts';

const upstreams = [{ ...DEMO, id: 'off', enabled: false }, { ...DEMO, id: 'a' }, { ...DEMO, id: 'b' }];
const route = (part: Partial<Route>): Route => routeSchema.parse({ id: 'r', pattern: 'm', candidates: [{ upstream: 'a' }], ...part });

describe('a route being edited', () => {
  it('begins with the first upstream that is on, and takes another one for each further line', () => {
    const begun = newRoute('random', upstreams);
    expect(begun).toMatchObject({ strategy: 'random', candidates: [{ upstream: 'a' }] });
    const more = withCandidate(withCandidate(begun, upstreams), upstreams);
    expect(more.candidates.map(({ upstream }) => upstream)).toEqual(['a', 'off', 'b']);
    expect(new Set(more.candidates.map(({ key }) => key)).size).toBe(3);
  });

  it('comes back from the editor as it was', () => {
    const saved = route({ strategy: 'weighted', candidates: [{ upstream: 'a', model: null, weight: 3 }, { upstream: 'b', model: 'other' }], policy: { preset: 'patient', retry_wait_secs: 0 } });
    expect(toRouteDraft(editOf(saved), saved)).toEqual(saved);
    const custom = route({ policy: { preset: 'custom', policy: { backoff: 'constant', baseMs: 1, maxMs: 1, jitter: 0, maxAttempts: 2, hint: 'floor', hintMinMs: 0, statuses: [503], retryOnTimeout: true, attemptTimeoutMs: 0 } } });
    expect(toRouteDraft(editOf(custom), custom)).toEqual(custom);
  });

  it('sends a weight only where weights count, and no override where the settings decide', () => {
    const edit = editOf(route({ strategy: 'weighted', candidates: [{ upstream: 'a', model: null, weight: 3 }], policy: { preset: 'off' } }));
    expect(toRouteDraft({ ...edit, strategy: 'priority', preset: 'settings' }, null)).toEqual({ id: null, pattern: 'm', strategy: 'priority', candidates: [{ upstream: 'a', model: null }], policy: null });
  });

  it('names every fault at its field', () => {
    const edit = newRoute('weighted', upstreams);
    expect(routeFaults({ ...edit, candidates: [], preset: 'patient', waitSecs: '601' })).toEqual({ pattern: 'pattern_missing', candidates: 'candidates_missing', policy: 'wait_range' });
    expect(routeFaults({ ...edit, pattern: 'x', candidates: [{ key: '0', upstream: 'a', model: '', weight: '0' }] })).toEqual({ candidates: 'weight_range' });
    expect(routeFaults({ ...edit, pattern: 'x', waitSecs: '601' })).toEqual({});
    expect(routeFieldOf({ path: 'candidates[1].upstream' })).toBe('candidates');
  });
});

describe('a route that is never reached', () => {
  const list = (...patterns: string[]) => patterns.map((pattern, index) => route({ id: `r${index}`, pattern }));
  it.each([[['a*', 'ab'], 1, 'a*'], [['a*', 'ab*'], 1, 'a*'], [['x', 'x'], 1, 'x'], [['*', 'y'], 1, '*'], [['*'], 1, '*'], [['ab*', 'a*'], 1, null], [['*b', 'ab'], 1, null], [['a', 'ab'], 1, null], [['a*'], 0, null], [['a*'], 1, null]] as const)('%j at %i is taken by %j', (patterns, place, by) => {
    expect(takenWholeBy(list(...patterns), place)?.pattern ?? null).toBe(by);
  });
});
