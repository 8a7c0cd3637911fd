import type { GatewayProblem } from './events.ts';

/** What the app tells beside the window's pages: never one for each request. */
export type Notice =
  /** The endpoint could not open at the start, or could not be kept. */
  | { readonly kind: 'gateway_failed'; readonly problem: GatewayProblem }
  /** Its credential was refused; once until it works again. */
  | { readonly kind: 'key_rejected'; readonly upstreamId: string; readonly upstream: string }
  /** Its breaker has been open for so long; once until it closes. */
  | { readonly kind: 'upstream_down'; readonly upstreamId: string; readonly upstream: string; readonly minutes: number }
  /** Once for each version. */
  | { readonly kind: 'update_available'; readonly version: string };

/** Whether the app starts when the user logs in. */
export type LoginStart =
  | { readonly kind: 'on' }
  | { readonly kind: 'off' }
  /** The system, or the user in the system's own settings, does not let it. */
  | { readonly kind: 'blocked' }
  /** `not_packaged`: run from its sources, there is nothing to start. `failed`: `reason` is in the system's words. */
  | { readonly kind: 'cannot'; readonly why: 'not_packaged' }
  | { readonly kind: 'cannot'; readonly why: 'failed'; readonly reason: string };
