// SPEC 4.7: the tester of the settings page answers with the code that classifies attempts.
import { describe, expect, it } from 'vitest';
import { tryRules } from '../../../main/gateway/upstream/rule-trial.ts';
import type { RuleTrialRequest } from '../../../shared/rule-trial.ts';
import { DEFAULT_STATUSES } from '../../../shared/policy.ts';
import type { RetryRule } from '../../../shared/settings.ts';

const rule = (part: Partial<RetryRule> = {}): RetryRule => ({ upstream: null, statuses: [], class: 'transient', ...part });
const warming = '{"error":{"type":"invalid_request_error","message":"Model is warming up"}}';
const trial = (part: Partial<RuleTrialRequest> = {}) => tryRules({ rules: [], upstream: null, format: 'chat', status: 400, body: warming, ...part }, DEFAULT_STATUSES);

describe('the trial of rules', () => {
  it('names the first rule that matches and the class it gives, beside the class without rules', () => {
    const rules = [rule({ statuses: [503] }), rule({ text: 'warming' }), rule({ class: 'quota' })];
    expect(trial({ rules })).toEqual({ kind: 'failure', matched: 1, class: 'transient', ownClass: 'request', status: 400 });
  });

  it('gives the class of the product when no rule matches', () => {
    expect(trial({ rules: [rule({ text: 'overloaded' })] })).toEqual({ kind: 'failure', matched: null, class: 'request', ownClass: 'request', status: 400 });
  });

  it('takes statuses that the policy lists as transient', () => {
    expect(trial({ status: 425, body: '' }).class).toBe('request');
    expect(tryRules({ rules: [], upstream: null, format: 'chat', status: 425, body: '' }, [425]).class).toBe('transient');
  });

  it('asks the rules of an upstream only about that upstream', () => {
    const rules = [rule({ upstream: 'a', class: 'auth' })];
    expect(trial({ rules, upstream: 'a' }).class).toBe('auth');
    expect(trial({ rules, upstream: 'b' }).matched).toBeNull();
    expect(trial({ rules }).matched).toBeNull();
  });

  it.each([
    ['with its framing', 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'],
    ['as its JSON alone', '{\n  "type": "error",\n  "error": { "type": "overloaded_error", "message": "Overloaded" }\n}'],
  ])('reads an event of a stream %s, and its rules see the status it stands for (SPEC 4.8)', (_how, body) => {
    const rules = [rule({ statuses: [529], class: 'server' })];
    expect(trial({ rules, format: 'anthropic', status: null, body })).toEqual({ kind: 'failure', matched: 0, class: 'server', ownClass: 'transient', status: 529 });
  });

  it('says of an answer that it is none of their business', () => {
    const body = JSON.stringify({ id: 'c', object: 'chat.completion', model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }] });
    expect(trial({ rules: [rule()], status: 200, body })).toMatchObject({ kind: 'answer', matched: null, class: null });
    expect(trial({ rules: [rule()], status: null, body: 'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n' }).kind).toBe('answer');
  });

  it('asks them about a page in the place of an answer, and not about an empty one (SPEC 4.5, 4.9)', () => {
    expect(trial({ rules: [rule({ text: 'maintenance' })], status: 200, body: '<html>Maintenance</html>' })).toMatchObject({ matched: 0, class: 'transient', ownClass: 'invalid' });
    expect(trial({ rules: [rule({ class: 'quota' })], status: 200, body: '' })).toMatchObject({ matched: null, class: 'transient' });
  });

  it('looks at 64 KiB of a body and no more (SPEC 4.2)', () => {
    const long = `${' '.repeat(64 * 1024)}needle`;
    expect(trial({ rules: [rule({ text: 'needle' })], body: long }).matched).toBeNull();
    expect(trial({ rules: [rule({ text: 'needle' })], body: long.slice(10) }).matched).toBe(0);
  });
});
