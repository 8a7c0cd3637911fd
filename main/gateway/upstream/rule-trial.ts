import type { RuleTrial, RuleTrialRequest } from '../../../shared/rule-trial.ts';
import { formatByName } from '../core/formats/index.ts';
import { createRuleBook, ruleText } from '../core/rules.ts';
import type { AnswerError, WireFormat } from '../core/wire-format.ts';
import { compilePattern } from './patterns.ts';

/**
 * Holds an answer against rules with the very code that attempts are classified with (SPEC 4.7). `transientStatuses` are those of the policy in
 * force. An empty answer has nothing that a rule could look at.
 */
export function tryRules({ rules, upstream, format: name, status, body }: RuleTrialRequest, transientStatuses: readonly number[]): RuleTrial {
  const bytes = new TextEncoder().encode(body);
  const format = formatByName(name);
  const failure = status === null ? eventFailure(format, body) : answerFailure(format, status, bytes, transientStatuses);
  if (failure === null) return { kind: 'answer', matched: null, class: null, ownClass: null, status: status ?? 200 };
  const asked = failure.empty === true ? [] : rules;
  const matched = createRuleBook(compilePattern).match(asked, { upstreamId: upstream ?? '', status: failure.status, body: ruleText(bytes) });
  return { kind: 'failure', matched, class: matched === null ? failure.class : rules[matched]?.class ?? failure.class, ownClass: failure.class, status: failure.status };
}

interface Failure extends Pick<AnswerError, 'class' | 'status'> {
  readonly empty?: true;
}

function answerFailure(format: WireFormat, status: number, body: Uint8Array, transientStatuses: readonly number[]): Failure | null {
  // Headers are not asked for: a date in them decides no class.
  if (status >= 300) return format.readFailure({ status, headers: {}, body, transientStatuses, utcMs: 0 });
  const reading = format.readWhole(body);
  if (reading.kind === 'answer') return null;
  if (reading.kind === 'error') return reading.error;
  return reading.kind === 'empty' ? { class: 'transient', status, empty: true } : { class: 'invalid', status };
}

/** The first error among the events; also of an event that was copied without its framing. */
function eventFailure(format: WireFormat, body: string): Failure | null {
  const framed = /^\s*\{/.test(body) ? `data: ${body.replace(/\s*[\r\n]+\s*/g, ' ')}\n\n` : body;
  const reader = format.reader('sse');
  const events = [...reader.push(new TextEncoder().encode(framed)), ...reader.finish()];
  return events.find(({ error }) => error !== null)?.error ?? null;
}
