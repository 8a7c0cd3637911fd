import type { FailureClass, PauseEnd, PauseReason } from './failure.ts';
import type { ExchangeRow } from './log.ts';

/** What happens to exchanges, as the window and the store see it (SPEC 13). Times are ms since 1970. */
export type ExchangeEvent =
  | { readonly kind: 'started'; readonly id: string; readonly row: ExchangeRow }
  | { readonly kind: 'attempt_started'; readonly id: string; readonly at: number; readonly n: number; readonly round: number; readonly upstream: string; readonly model: string }
  | { readonly kind: 'attempt_failed'; readonly id: string; readonly at: number; readonly n: number; readonly upstream: string; readonly class: FailureClass; readonly code: string; readonly status: number | null }
  | { readonly kind: 'pausing'; readonly id: string; readonly upstreams: readonly string[]; readonly retry: number; readonly started: number; readonly retry_at: number; /** When it gives up. */ readonly until: number; readonly reason: PauseReason }
  | { readonly kind: 'pause_ended'; readonly id: string; readonly why: PauseEnd }
  | { readonly kind: 'queued'; readonly id: string; readonly at: number; readonly upstreams: readonly string[] }
  | { readonly kind: 'released'; readonly id: string; readonly at: number; readonly upstream: string }
  | { readonly kind: 'finished'; readonly id: string; readonly row: ExchangeRow };

/** What is known of a running exchange; late windows get these first. */
export interface InFlight {
  readonly row: ExchangeRow;
  readonly state: 'attempting' | 'pausing' | 'queued' | 'answering';
  readonly upstream: string | null;
  readonly retries: number;
  readonly pause: Extract<ExchangeEvent, { kind: 'pausing' }> | null;
}

/** State of the endpoint. */
export type GatewayState =
  | { readonly status: 'running'; readonly url: string; readonly port: number; readonly problem: GatewayProblem | null; /** Where other machines reach it, as of when it began to listen; only when it listens beyond loopback. */ readonly networkUrls?: readonly string[]; /** The user lets no new requests in for now. */ readonly closed?: true }
  | { readonly status: 'starting' | 'stopped' }
  | { readonly status: 'failed'; readonly problem: GatewayProblem };

/** Why the endpoint is not where the user wants it; words by `problem.<kind>`. */
export interface GatewayProblem {
  readonly kind: 'port_in_use' | 'port_forbidden' | 'address_unavailable';
  readonly port: number;
  /** Program that holds the port, where the OS tells. */
  readonly owner: string | null;
  /** The next free port, to be offered. */
  readonly freePort: number | null;
}
