/** A gateway key as everybody but the secret box sees it (SPEC 1.4, 2.3). */
export interface GatewayKey {
  readonly id: string;
  readonly name: string;
  /** `hf-...abcd`: never the key. */
  readonly hint: string;
  readonly disabled: boolean;
  /** Ms since 1970. */
  readonly createdAt: number;
}

/** A key with what the gateway has seen of it. */
export interface ListedKey extends GatewayKey {
  /** When a request last came in with it, ms since 1970, to about a minute over restarts; null when none ever did. */
  readonly lastUsedAt: number | null;
}

/** Most characters of a key's name. */
export const LONGEST_KEY_NAME = 100;

/** How an edit of keys went; `name_refused`: empty, too long, or with characters that cannot be shown. */
export type KeySaved =
  | { readonly ok: true; readonly key: ListedKey }
  | { readonly ok: false; readonly reason: 'name_refused' | 'name_taken' | 'too_many' | 'gone' };
