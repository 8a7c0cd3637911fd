import { describe, expect, it } from 'vitest';
import { createRuleBook, type RuleFacts } from '../../../main/gateway/core/rules.ts';
import { compilePattern } from '../../../main/gateway/upstream/patterns.ts';
import type { RetryRule } from '../../../shared/settings.ts';

const rule = (changes: Partial<RetryRule> = {}): RetryRule => ({ upstream: null, statuses: [], class: 'transient', ...changes });
const facts = (changes: Partial<RuleFacts> = {}): RuleFacts => ({ upstreamId: 'a', status: 400, body: '{"error":{"message":"Model Is Warming Up, try 12"}}', ...changes });
const classify = (rules: readonly RetryRule[], of: RuleFacts = facts()) => createRuleBook(compilePattern).classify(rules, of);

// SPEC 4.7
describe('the rules of the user', () => {
  it('let the first match decide', () => {
    expect(classify([rule({ upstream: 'b', class: 'auth' }), rule({ class: 'quota' }), rule({ class: 'server' })])).toBe('quota');
    expect(classify([])).toBeNull();
  });

  it('look at upstream, status and body, all of those that are given', () => {
    const narrow = rule({ upstream: 'a', statuses: [400, 422], text: 'warming', pattern: 'try [0-9]+' });
    expect(classify([narrow])).toBe('transient');
    expect(classify([narrow], facts({ upstreamId: 'b' }))).toBeNull();
    expect(classify([narrow], facts({ status: 401 }))).toBeNull();
    expect(classify([narrow], facts({ body: 'try 12' }))).toBeNull();
    expect(classify([narrow], facts({ body: 'warming up' }))).toBeNull();
  });

  it('compare text without regard to case and patterns as they are written', () => {
    expect(classify([rule({ text: 'model is WARMING' })])).toBe('transient');
    expect(classify([rule({ pattern: 'warming' })])).toBeNull();
    expect(classify([rule({ pattern: '(?i)warming' })])).toBe('transient');
  });

  it('take nothing by a pattern that the engine refuses', () => {
    for (const pattern of ['(', 'a(?=b)', String.raw`(a)\1`, 'a'.repeat(501)]) expect(classify([rule({ pattern })], facts({ body: 'aab'.repeat(600) }))).toBeNull();
  });

  it('compile a pattern once for as long as the rule lives', () => {
    let compiled = 0;
    const book = createRuleBook((pattern) => {
      compiled += 1;
      return compilePattern(pattern);
    });
    const kept = [rule({ pattern: 'x' }), rule({ pattern: 'warming|Warming' })];
    for (let round = 0; round < 5; round += 1) expect(book.classify(kept, facts())).toBe('transient');
    expect(compiled).toBe(2);
  });

  it('take linear time for a pattern that would hold up another engine', () => {
    const body = `${'a'.repeat(5_000)}!`;
    expect(classify([rule({ pattern: '(a+)+$' })], facts({ body }))).toBeNull();
  });
});
