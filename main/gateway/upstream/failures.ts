import { assertNever } from '../../../shared/assert-never.ts';
import type { FailurePhase, UpstreamFailure } from '../../../shared/failure.ts';
import { maskSecrets } from '../../../shared/mask.ts';
import type { AnswerError } from '../core/wire-format.ts';
import type { AttemptOrder } from '../ports.ts';
import { classOf, type OwnFailureCode } from './network-failure.ts';

/** What every failure of an attempt says besides its cause. */
export interface FailureFacts {
  readonly order: AttemptOrder;
  readonly where: FailurePhase;
  readonly sentWhole: boolean;
  /** Taken out of the message wherever they stand. */
  readonly secrets: readonly string[];
}

const LONGEST_MESSAGE_BYTES = 2 * 1024;

/** A failure of our own naming; `status` is that of the answer, null without one. */
export function ownFailure(facts: FailureFacts, code: OwnFailureCode, detail: string | null, status: number | null): UpstreamFailure {
  const sentence = sentenceOf(code, facts.order);
  return {
    class: classOf(code), code, upstreamId: facts.order.upstream.id, status, type: null, hintMs: null,
    message: masked(detail === null || detail === '' ? sentence : `${sentence} (${detail})`, facts.secrets),
    where: facts.where, sentWhole: facts.sentWhole,
  };
}

/** A failure in the upstream's words, already classified. */
export function toldFailure(facts: FailureFacts, error: AnswerError): UpstreamFailure {
  return {
    class: error.class, code: error.code, upstreamId: facts.order.upstream.id, status: error.status, type: error.type, hintMs: error.hintMs,
    message: masked(error.message, facts.secrets),
    where: facts.where, sentWhole: facts.sentWhole,
  };
}

function masked(text: string, secrets: readonly string[]): string {
  const clean = maskSecrets(text, secrets);
  const bytes = new TextEncoder().encode(clean);
  // Cut at a whole character: a half one decodes to a replacement, which is taken off again.
  return bytes.byteLength <= LONGEST_MESSAGE_BYTES ? clean : new TextDecoder().decode(bytes.subarray(0, LONGEST_MESSAGE_BYTES - 3)).replace(/�+$/, '');
}

function sentenceOf(code: OwnFailureCode, order: AttemptOrder): string {
  const secs = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
  switch (code) {
    case 'bad_address': return 'the address cannot be used';
    case 'bad_address.self': return 'the address is the gateway itself';
    case 'bad_address.proxy': return 'the outbound proxy cannot be used';
    case 'tls.certificate': return 'the certificate was refused';
    case 'tls.protocol': return 'no secure connection is possible there';
    case 'connect.refused': return 'connection refused';
    case 'connect.reset': return 'connection reset';
    case 'connect.unreachable': return 'host or network unreachable';
    case 'connect.dns': return 'host name not found';
    case 'connect.timeout': return 'no connection in time';
    case 'connect.tls': return 'secure connection broken while it was made';
    case 'connect.proxy': return 'the outbound proxy could not connect';
    case 'connect.failed': return 'no connection';
    case 'head.closed': return 'connection closed before the answer began';
    case 'head.malformed': return 'the answer is not HTTP';
    case 'head.too_large': return 'the headers of the answer are too large';
    case 'stream_broken': return 'the stream broke';
    case 'stream_ended_early': return 'the stream ended before its end';
    case 'body_broken': return 'the answer broke before its end';
    case 'body_encoding': return 'the answer cannot be decoded';
    case 'answer.empty': return 'the answer is empty';
    case 'answer.invalid': return 'the answer is not one of this format';
    case 'answer.redirect': return 'the answer is a redirect, which is not followed';
    case 'upstream.timeout_idle': return `nothing came for ${secs(order.idleTimeoutMs)}`;
    case 'upstream.timeout_attempt': return `no answer within ${secs(order.attemptTimeoutMs)}`;
    case 'upstream.timeout_whole': return `no whole answer within ${secs(order.wholeLeftMs ?? 0)}`;
    case 'cancelled': return 'cancelled';
    default: return assertNever(code);
  }
}
