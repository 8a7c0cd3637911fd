import type { IncomingHttpHeaders } from 'node:http';
import type { KeyCheck, Keys } from '../ports.ts';
import type { RequestTarget } from './request-target.ts';

/** Where a credential came in. */
export type KeyPlace = 'path' | 'authorization' | 'x-api-key' | 'x-goog-api-key' | 'query';
export interface PresentedKey { readonly place: KeyPlace; readonly value: string }

/** What the credentials of a request amount to (SPEC 1.4). */
export type KeyVerdict =
  | {
    readonly kind: 'valid';
    readonly name: string;
    readonly revoked: AbortSignal;
    /** The client's own credentials, which may go to upstreams of credential kind `client`: only when the gateway key came by path. */
    readonly own: readonly PresentedKey[];
  }
  | { readonly kind: 'missing' | 'unknown' | 'disabled'; readonly own: readonly PresentedKey[] };

/** All credentials of a request in the order they are asked: path prefix, headers, query. Empty ones count as absent. */
export function presentedKeys(target: RequestTarget, headers: IncomingHttpHeaders): readonly PresentedKey[] {
  const found: { place: KeyPlace; value: string | null | undefined }[] = [
    { place: 'path', value: target.pathKey },
    { place: 'authorization', value: withoutScheme(headers.authorization?.trim()) },
    { place: 'x-api-key', value: single(headers['x-api-key']) },
    { place: 'x-goog-api-key', value: single(headers['x-goog-api-key']) },
    ...target.queryKeys.map((value) => ({ place: 'query' as const, value })),
  ];
  return found.flatMap(({ place, value }) => (value?.trim() ? [{ place, value: value.trim() }] : [])).slice(0, 8);
}

/** One valid key is enough; without one a disabled key is named before an unknown one. */
export function judgeKeys(presented: readonly PresentedKey[], keys: Keys): KeyVerdict {
  const checks = presented.map((key) => ({ key, check: keys.check(key.value) }));
  const own = checks.filter(({ check }) => check.kind === 'unknown').map(({ key }) => key);
  const first = checks.find((one): one is { key: PresentedKey; check: Extract<KeyCheck, { kind: 'valid' }> } => one.check.kind === 'valid');
  if (first !== undefined) return { kind: 'valid', name: first.check.name, revoked: first.check.revoked, own: first.key.place === 'path' ? own : [] };
  if (checks.length === 0) return { kind: 'missing', own };
  return { kind: checks.some(({ check }) => check.kind === 'disabled') ? 'disabled' : 'unknown', own };
}

/** The message of each 401 (SPEC 1.4). */
export const KEY_MESSAGES = {
  missing: 'No key came with this request. Send a Holdfast key as "Authorization: Bearer", "x-api-key", "x-goog-api-key" or "?key=", or put /k/<key> before the path.',
  unknown: 'This key is not one of this Holdfast. Copy a key from its window into your client.',
  disabled: 'This Holdfast key is disabled. Enable it in the window, or use another one.',
} as const;

// Other schemes than Bearer carry no gateway key, but a credential of the client's own.
function withoutScheme(authorization: string | undefined): string | undefined {
  const bearer = authorization === undefined ? null : /^bearer(?:\s+(.*))?$/i.exec(authorization);
  return bearer === null ? authorization : bearer[1];
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
