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
