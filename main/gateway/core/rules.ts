import type { FailureClass } from '../../../shared/failure.ts';
import type { RetryRule } from '../../../shared/settings.ts';

/** Whether a text has a place that matches. */
export type TextTest = (text: string) => boolean;

/** Makes a test of a pattern; null when the engine refuses the pattern. */
export type CompilePattern = (pattern: string) => TextTest | null;

/** What a user's rule can look at. */
export interface RuleFacts {
  readonly upstreamId: string;
  /** Of the response, or the one that stands for an in-stream error (SPEC 4.8). */
  readonly status: number;
  /** The error body or event as text, at most 64 KiB. */
  readonly body: string;
}

/** Rules look at no more of a body than classification does (SPEC 4.2), bytes. */
const MAX_BODY_BYTES = 64 * 1024;

/** The text that rules look at. */
export function ruleText(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, MAX_BODY_BYTES));
}

/** The user's own classification (SPEC 4.7). */
export interface RuleBook {
  /** Place of the first matching rule; null when none matches. */
  match(rules: readonly RetryRule[], facts: RuleFacts): number | null;
  /** The class that the first matching rule gives; null when none matches. */
  classify(rules: readonly RetryRule[], facts: RuleFacts): FailureClass | null;
}

/** A rule book that compiles each rule's pattern once. Text is compared without regard to case; a rule with neither text nor pattern takes any body, one whose pattern is refused takes nothing. */
export function createRuleBook(compile: CompilePattern): RuleBook {
  // Lives as long as the rule objects do: a changed setting brings new ones, the old entries go with the old objects.
  const tests = new WeakMap<RetryRule, TextTest>();
  const testOf = (rule: RetryRule): TextTest => {
    const known = tests.get(rule);
    if (known !== undefined) return known;
    const made = makeTest(rule, compile);
    tests.set(rule, made);
    return made;
  };
  const find = (rules: readonly RetryRule[], facts: RuleFacts): number => rules.findIndex((rule) => matchesHead(rule, facts) && testOf(rule)(facts.body));
  return {
    match: (rules, facts) => {
      const place = find(rules, facts);
      return place < 0 ? null : place;
    },
    classify: (rules, facts) => rules[find(rules, facts)]?.class ?? null,
  };
}

function matchesHead({ upstream, statuses }: RetryRule, facts: RuleFacts): boolean {
  return (upstream === null || upstream === facts.upstreamId) && (statuses.length === 0 || statuses.includes(facts.status));
}

function makeTest({ text, pattern }: RetryRule, compile: CompilePattern): TextTest {
  const wanted = text?.toLowerCase() ?? '';
  const matches = pattern === undefined ? () => true : (compile(pattern) ?? (() => false));
  return (body) => (wanted === '' || body.toLowerCase().includes(wanted)) && matches(body);
}
