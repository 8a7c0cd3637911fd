import { assertNever } from '../../../../shared/assert-never.ts';
import type { FormatName } from '../../../../shared/format.ts';
import type { TestReason, TestStepName } from '../../../../shared/upstream-test.ts';
import { formatByName } from '../../core/formats/index.ts';
import type { AnswerError } from '../../core/wire-format.ts';
import type { NetworkFault } from '../network-failure.ts';
import { flatHeaders } from '../response-headers.ts';
import type { Asked } from './ask.ts';

/** What stopped a test. */
export interface Stop {
  readonly step: TestStepName;
  readonly reason: TestReason;
  readonly detail: string | null;
  readonly status: number | null;
  /** No connection was made. */
  readonly connecting: boolean;
}

/** What is known when a test stops. */
export interface StopFacts {
  /** Whether this step is behind us. */
  has(step: TestStepName): boolean;
  readonly proxied: boolean;
  readonly format: FormatName;
  readonly utcMs: number;
}

// Bodies of errors are read as those of attempts are (SPEC 4.2).
const LONGEST_ERROR_BYTES = 64 * 1024;

/** Why an answer is none, and which step's fault that is; null for a success. */
export function stopOf(asked: Asked, facts: StopFacts): Stop | null {
  const answering: TestStepName = facts.has('auth') ? 'models' : 'auth';
  const stop = (step: TestStepName, reason: TestReason, detail: string | null): Stop => ({ step, reason, detail, status: null, connecting: false });
  switch (asked.kind) {
    case 'timed_out': return stop(answering, 'timed_out', null);
    case 'too_large': return stop('models', 'too_large', null);
    case 'failed':
      if (asked.phase === 'connect') return { ...stop(...connectStop(asked.fault, facts)), connecting: true };
      return stop(answering, asked.fault.code === 'head.malformed' ? 'not_http' : 'closed', asked.fault.detail);
    case 'answer': {
      const { status, headers, body } = asked;
      if (status < 300) return null;
      if (status < 400) return { ...stop('models', 'redirect', null), status };
      const error = formatByName(facts.format).readFailure({ status, headers: flatHeaders(headers), body: body.subarray(0, LONGEST_ERROR_BYTES), transientStatuses: [], utcMs: facts.utcMs });
      return { ...stop(...answerStop(error)), status };
    }
    default: return assertNever(asked);
  }
}

type Found = readonly [step: TestStepName, reason: TestReason, detail: string];

/** Where and why a connection was not made. */
function connectStop({ code, detail }: NetworkFault, { has, proxied }: StopFacts): Found {
  const under: TestStepName = !has('tcp') ? 'tcp' : proxied && !has('proxy') ? 'proxy' : 'tls';
  switch (code) {
    case 'connect.dns': return ['dns', /ENOTFOUND|ENODATA/.test(detail) ? 'dns_not_found' : 'dns_failed', detail];
    case 'connect.refused': return ['tcp', 'refused', detail];
    case 'connect.unreachable': return ['tcp', 'unreachable', detail];
    case 'connect.timeout': return [under, 'timed_out', detail];
    case 'connect.reset': return [under, 'reset', detail];
    case 'connect.tls': return [under, under === 'tls' ? 'tls_failed' : 'reset', detail];
    case 'connect.proxy': return ['proxy', 'proxy_failed', detail];
    case 'bad_address.proxy': return ['proxy', /407|authentication|acceptable/i.test(detail) ? 'proxy_login' : 'proxy_refused', detail];
    case 'tls.protocol': return [under, 'tls_protocol', detail];
    case 'tls.certificate': return [under, certificateReason(detail), detail];
    case 'bad_address': return ['dns', 'address_invalid', detail];
    default: return [under, 'connect_failed', detail];
  }
}

function certificateReason(detail: string): TestReason {
  if (/expired|not yet valid/i.test(detail)) return 'certificate_expired';
  return /altnames|hostname/i.test(detail) ? 'certificate_host' : 'certificate_untrusted';
}

/** Why an answer with an error status is no list. */
function answerStop(error: AnswerError): Found {
  const detail = error.message === '' ? error.code : error.message;
  switch (error.class) {
    case 'auth': return ['auth', error.status === 403 ? 'forbidden' : 'key_rejected', detail];
    case 'quota': return ['models', 'no_balance', detail];
    case 'rate_limited': return ['models', 'rate_limited', detail];
    default: return ['models', [404, 405, 501].includes(error.status) ? 'no_list' : 'upstream_error', detail];
  }
}
