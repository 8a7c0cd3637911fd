/** What is known of a secret: `sealed` is there but cannot be read with what this process has (SPEC 2.3). */
export type SecretLookup =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'sealed' };

/** Where secrets live: never in the database, never in the window (SPEC 2.3). Ids are opaque. Reading comes from memory and is cheap. */
export interface SecretBox {
  readonly kind: 'keychain' | 'file';
  /** On disk when it returns. Throws when that fails; nothing has changed then. */
  put(id: string, value: string): void;
  /** Never throws. */
  get(id: string): SecretLookup;
  /** An id that is not there is no fault. Throws when the disk refuses; nothing has changed then. */
  delete(id: string): void;
}
