import type { FailureClass } from './failure.ts';
import type { FormatName } from './format.ts';
import type { RetryRule } from './settings.ts';

/** What an upstream might answer, held against rules without sending anything (SPEC 4.7). */
export interface RuleTrialRequest {
  readonly rules: readonly RetryRule[];
  /** Id of the upstream that would have answered; null for one that no rule names. */
  readonly upstream: string | null;
  readonly format: FormatName;
  /** HTTP status of the answer, 200-599; null for an event of a stream, whose error says which status it stands for (SPEC 4.8). */
  readonly status: number | null;
  /** The body, or the event as it came (`data: {...}` or its JSON alone). No more than its first 64 KiB count. */
  readonly body: string;
}

/** What would be made of it. */
export interface RuleTrial {
  /** `answer`: not a failure, so that rules are not asked. */
  readonly kind: 'failure' | 'answer';
  /** Place in the list of the rule that decides; null when none matches. */
  readonly matched: number | null;
  /** The class that follows; null for an answer. */
  readonly class: FailureClass | null;
  /** The class without the user's rules; null for an answer. */
  readonly ownClass: FailureClass | null;
  /** The status that rules look at. */
  readonly status: number;
}
