import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatches, listModels, matchRoute, nearModels } from '../../../main/gateway/core/routing/match.ts';
import { orderCandidates } from '../../../main/gateway/core/routing/strategies.ts';
import type { Route } from '../../../shared/route.ts';
import { upstreamOf } from '../../support/upstreams.ts';

const route = (part: Partial<Route> & Pick<Route, 'pattern'>): Route => ({ id: part.pattern, strategy: 'priority', candidates: [], policy: null, ...part });
const a = upstreamOf({ id: 'a', name: 'A' });
const b = upstreamOf({ id: 'b', name: 'B', models: ['m-b', 'claude-*'] });
const off = upstreamOf({ id: 'off', enabled: false });
const onlyChat = upstreamOf({ id: 'chat', formats: ['chat'], models: ['gpt-5'] });

describe('globs (SPEC 9.1)', () => {
  it.each([
    ['*', '', true], ['*', 'x', true], ['claude-*', 'claude-opus', true], ['claude-*', 'claude', false], ['*-mini', 'gpt-mini', true], ['a*a', 'a', false],
    ['a*a', 'aa', true], ['a*b*c', 'a1b2c', true], ['a*b*c', 'acb', false], ['m.1', 'mx1', false], ['m-1', 'm-1', true], ['M', 'm', false], ['a**b', 'ab', true], ['*b*', 'abc', true], ['ab*ba', 'aba', false],
  ])('%s on "%s": %o', (glob, name, matches) => {
    expect(globMatches(glob, name)).toBe(matches);
  });
  it('agrees with a regular expression made from the glob', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 8 });
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '-', '*'), maxLength: 8 }), text, (glob, name) => {
      expect(globMatches(glob, name)).toBe(new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(name));
    }), { numRuns: 5_000 });
  });
});

describe('matchRoute (SPEC 9.1)', () => {
  const table = (routes: readonly Route[] = []) => ({ routes, upstreams: [a, b, off, onlyChat], strategy: 'priority' as const });
  it('the first matching route wins, in the order of its candidates', () => {
    const match = matchRoute(table([route({ pattern: 'gpt-*' }), route({ pattern: 'm-*', candidates: [{ upstream: 'b', model: null }, { upstream: 'a', model: 'x' }] }), route({ pattern: '*' })]), 'anthropic', 'm-b');
    expect(match).toMatchObject({ kind: 'route', routeId: 'm-*', candidates: [{ upstreamId: 'b', model: null }, { upstreamId: 'a', model: 'x' }] });
  });
  it('without a route all enabled upstreams are asked in the order of the user, if they take the model', () => {
    expect(matchRoute(table(), 'anthropic', 'claude-opus')).toMatchObject({ routeId: '*', candidates: [{ upstreamId: 'a' }, { upstreamId: 'b' }] });
    expect(matchRoute(table(), 'anthropic', 'm-other')).toMatchObject({ candidates: [{ upstreamId: 'a' }] });
  });
  it("admission asks for the model that the candidate would be asked for, not the client's", () => {
    const routes = [route({ pattern: 'alias', candidates: [{ upstream: 'b', model: 'm-b' }] })];
    expect(matchRoute(table(routes), 'anthropic', 'alias')).toMatchObject({ kind: 'route', candidates: [{ upstreamId: 'b', model: 'm-b' }] });
  });
  it('disabled and deleted upstreams are no candidates', () => {
    const routes = [route({ pattern: 'm', candidates: [{ upstream: 'off', model: null }, { upstream: 'gone', model: null }] })];
    expect(matchRoute(table(routes), 'anthropic', 'm')).toMatchObject({ kind: 'no_model' });
  });
  it('says which formats there are when nobody speaks the asked one', () => {
    const routes = [route({ pattern: 'gpt-5', candidates: [{ upstream: 'chat', model: null }] })];
    expect(matchRoute(table(routes), 'gemini', 'gpt-5')).toEqual({ kind: 'no_format', formats: ['chat'] });
  });
  it('names near models, nearest first, when nobody takes the model', () => {
    const upstreams = [upstreamOf({ id: 'x', models: ['claude-opus-5', 'claude-haiku-5', 'gpt-5', 'local/*'] })];
    const table = { routes: [], upstreams, strategy: 'priority' } as const;
    expect(matchRoute(table, 'chat', 'claude-opus5')).toEqual({ kind: 'no_model' });
    expect(nearModels(table, 'chat', 'claude-opus5')).toEqual(['claude-opus-5', 'claude-haiku-5', 'gpt-5']);
  });
  it('lists exactly the named models that it would admit (SPEC 1.8)', () => {
    const routes = [route({ pattern: 'alias', candidates: [{ upstream: 'b', model: 'm-b' }] }), route({ pattern: 'dead', candidates: [{ upstream: 'off', model: null }] })];
    expect(listModels(table(routes), 'anthropic')).toEqual([{ id: 'alias', upstreamId: 'b' }, { id: 'm-b', upstreamId: 'a' }, { id: 'gpt-5', upstreamId: 'a' }]);
    expect(listModels({ ...table(), upstreams: [onlyChat] }, 'anthropic')).toEqual([]);
  });
});

describe('strategies (SPEC 9.2)', () => {
  const three = ['a', 'b', 'c'].map((upstreamId, index) => ({ upstreamId, model: null, weight: [1, 2, 7][index] ?? 1 }));
  const names = (list: readonly { readonly upstreamId: string }[]) => list.map((one) => one.upstreamId).join('');
  const facts = { turn: 0, draw: () => 0.5, latencyMs: () => null };
  it('priority keeps the order; round robin turns it', () => {
    expect(names(orderCandidates('priority', three, facts))).toBe('abc');
    expect([0, 1, 2, 3].map((turn) => names(orderCandidates('round_robin', three, { ...facts, turn })))).toEqual(['abc', 'bca', 'cab', 'abc']);
  });
  it('least latency puts the fastest first and those never tried last', () => {
    const latency: Record<string, number> = { b: 300, c: 100 };
    expect(names(orderCandidates('least_latency', three, { ...facts, latencyMs: (id) => latency[id] ?? null }))).toBe('cba');
  });
  it('weights are kept within 1 % over many draws', () => {
    let seed = 7;
    const draw = () => { seed = (seed * 16_807) % 2_147_483_647; return (seed - 1) / 2_147_483_646; };
    const firsts: Record<string, number> = {};
    for (let turn = 0; turn < 50_000; turn++) {
      const first = orderCandidates('weighted', three, { ...facts, draw })[0]?.upstreamId ?? '';
      firsts[first] = (firsts[first] ?? 0) + 1 / 50_000;
    }
    expect(Math.abs((firsts['a'] ?? 0) - 0.1)).toBeLessThan(0.01);
    expect(Math.abs((firsts['c'] ?? 0) - 0.7)).toBeLessThan(0.01);
  });
  it('every strategy gives a permutation', () => {
    fc.assert(fc.property(fc.constantFrom('priority', 'round_robin', 'weighted', 'least_latency', 'random'), fc.nat(9), fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (strategy, turn, draws) => {
      const order = orderCandidates(strategy, three, { turn, draw: () => draws.next().value as number, latencyMs: () => null });
      expect([...order].sort((x, y) => (x.upstreamId < y.upstreamId ? -1 : 1))).toEqual(three);
    }));
  });
});
