/** A newer version of the app, as the feed tells of it. */
export interface Update {
  readonly version: string;
  /** What is new, plain text of at most 20,000 characters; null when the feed tells nothing. */
  readonly notes: string | null;
  /** Ms since 1970; null when the feed does not tell. */
  readonly releasedAt: number | null;
}

/** Why this copy of the app cannot update itself. Closed: also i18n keys under `updates.unavailable`. */
export const NO_UPDATES_REASONS = ['no_feed', 'bad_feed', 'not_updatable'] as const;
export type NoUpdatesReason = (typeof NO_UPDATES_REASONS)[number];

/** What went wrong with an update. Closed: also i18n keys under `updates.fault`. */
export const UPDATE_FAULTS = ['unreachable', 'bad_answer', 'bad_checksum', 'other'] as const;
export type UpdateFault = (typeof UPDATE_FAULTS)[number];

/** Where the app stands with its updates. `checkedAt`, ms since 1970, is when the feed was last read; null when it never was. */
export type UpdateState =
  /** `no_feed`: the build has none. `bad_feed`: its feed could be changed on the way. `not_updatable`: what installed the app updates it. */
  | { readonly status: 'unavailable'; readonly reason: NoUpdatesReason }
  /** Nothing newer is known. */
  | { readonly status: 'none'; readonly checkedAt: number | null }
  | { readonly status: 'checking'; readonly checkedAt: number | null }
  /** Nothing of it has been downloaded. */
  | { readonly status: 'available'; readonly update: Update; readonly checkedAt: number | null }
  /** `share` is 0-1. */
  | { readonly status: 'downloading'; readonly update: Update; readonly share: number }
  /** Downloaded and checked; it waits for the user's word. */
  | { readonly status: 'ready'; readonly update: Update }
  /** The user gave it: the app quits when its running exchanges have ended (SPEC 17), and starts anew. */
  | { readonly status: 'installing'; readonly update: Update }
  /** What the user asked for did not work; `update` is null when it was the look itself. */
  | { readonly status: 'failed'; readonly fault: UpdateFault; readonly update: Update | null; readonly checkedAt: number | null };
