import { assertNever } from '../../../shared/assert-never.ts';
import type { FailureClass } from '../../../shared/failure.ts';

/** Everything of our own that can go wrong with an attempt; an upstream's own codes stand beside these (SPEC 4.1, 4.5, 8.3). */
export const OWN_FAILURE_CODES = [
  'bad_address', 'bad_address.self', 'bad_address.proxy', 'tls.certificate', 'tls.protocol',
  'connect.refused', 'connect.reset', 'connect.unreachable', 'connect.dns', 'connect.timeout', 'connect.tls', 'connect.proxy', 'connect.failed',
  'head.closed', 'head.malformed', 'head.too_large',
  'stream_broken', 'stream_ended_early', 'body_broken', 'body_encoding',
  'answer.empty', 'answer.invalid', 'answer.redirect',
  'upstream.timeout_idle', 'upstream.timeout_attempt', 'upstream.timeout_whole',
  'cancelled',
] as const;
export type OwnFailureCode = (typeof OWN_FAILURE_CODES)[number];

/** A fault of the transport, named once at the edge. */
export interface NetworkFault {
  readonly code: OwnFailureCode;
  /** What the system said, for the log; English, one line, not yet masked. */
  readonly detail: string;
}

/** How far the response had come when the fault happened. */
export type NetworkPhase = 'connect' | 'head' | 'body';

/** The class of each of our own codes (SPEC 4.1). */
export function classOf(code: OwnFailureCode): FailureClass {
  switch (code) {
    case 'bad_address': case 'bad_address.self': case 'bad_address.proxy': case 'tls.certificate': case 'tls.protocol': return 'bad_address';
    case 'connect.refused': case 'connect.reset': case 'connect.unreachable': case 'connect.dns': case 'connect.timeout': case 'connect.tls': case 'connect.proxy': case 'connect.failed': return 'transient';
    case 'head.closed': case 'stream_broken': case 'stream_ended_early': case 'body_broken': case 'answer.empty': return 'transient';
    case 'head.malformed': case 'head.too_large': case 'body_encoding': case 'answer.invalid': case 'answer.redirect': return 'invalid';
    case 'upstream.timeout_idle': case 'upstream.timeout_attempt': case 'upstream.timeout_whole': return 'timeout';
    case 'cancelled': return 'cancelled';
    default: return assertNever(code);
  }
}

const CONNECT_CODES: Readonly<Record<string, OwnFailureCode>> = {
  ECONNREFUSED: 'connect.refused',
  ECONNRESET: 'connect.reset', EPIPE: 'connect.reset', ECONNABORTED: 'connect.reset',
  EHOSTUNREACH: 'connect.unreachable', ENETUNREACH: 'connect.unreachable', EHOSTDOWN: 'connect.unreachable', ENETDOWN: 'connect.unreachable', EADDRNOTAVAIL: 'connect.unreachable',
  ETIMEDOUT: 'connect.timeout', UND_ERR_CONNECT_TIMEOUT: 'connect.timeout',
  ENOTFOUND: 'connect.dns', ESERVFAIL: 'connect.dns', ENODATA: 'connect.dns', ETIMEOUT: 'connect.dns',
  UND_ERR_INVALID_ARG: 'bad_address', UND_ERR_NOT_SUPPORTED: 'bad_address', ERR_INVALID_URL: 'bad_address', ERR_SOCKET_BAD_PORT: 'bad_address',
  ERR_SSL_WRONG_VERSION_NUMBER: 'tls.protocol', ERR_SSL_UNSUPPORTED_PROTOCOL: 'tls.protocol', ERR_SSL_PACKET_LENGTH_TOO_LONG: 'tls.protocol',
};
// The verification errors of OpenSSL as Node names them.
const CERTIFICATE = /^(CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT_)/;

const PARSER_ERROR = 'HTTP_PARSER';

/** Names a fault from what the library threw and how far the response had come. Ports, addresses and words of the system stay in `detail`. */
export function networkFault(error: unknown, phase: NetworkPhase, secure: boolean): NetworkFault {
  const code = codeOf(error);
  return { code: ownCode(code, phase, secure), detail: detailOf(error, code) };
}

function ownCode(code: string, phase: NetworkPhase, secure: boolean): OwnFailureCode {
  if (CERTIFICATE.test(code)) return 'tls.certificate';
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return 'bad_address';
  switch (phase) {
    case 'connect': {
      const named = CONNECT_CODES[code] ?? (code.startsWith('EAI_') ? 'connect.dns' : /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code) ? 'connect.tls' : 'connect.failed');
      // TCP refuses, it does not reset: a reset while a secure connection is made is the handshake's.
      return named === 'connect.reset' && secure ? 'connect.tls' : named;
    }
    case 'head':
      if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'head.too_large';
      return code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || code === PARSER_ERROR ? 'head.malformed' : 'head.closed';
    case 'body': return 'body_broken';
    default: return assertNever(phase);
  }
}

/** Whether a fault can come from a connection that the other side had closed while it lay unused (SPEC 4.6). */
export function couldBeStale(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  // The parser's errors carry no usable code. An end of the connection in the head is a break like others.
  if (error instanceof Error && error.name === 'HTTPParserError') return error.message.includes('EOF') ? 'UND_ERR_SOCKET' : PARSER_ERROR;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

function detailOf(error: unknown, code: string): string {
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const message = first instanceof Error ? first.message : String(first);
  return (message === '' ? code : message).replace(/\s+/g, ' ').slice(0, 500);
}
