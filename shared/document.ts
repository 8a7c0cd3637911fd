import { z } from 'zod';
import { routeSchema } from './route.ts';
import type { SettingIssue } from './settings.ts';
import { credentialDocumentSchema, upstreamDocumentSchema } from './upstream.ts';

/** Most entries of each list of a document. */
export const MOST_ENTRIES = { upstreams: 200, routes: 500, keys: 100 } as const;

const hint = z.string().max(40);

/** A credential in a document: also one that was left out of it, of which only the hint stands there. */
const documentCredentialSchema = z.discriminatedUnion('kind', [...credentialDocumentSchema.options, z.strictObject({ kind: z.literal('withheld'), hint })]);

/** An upstream in a document. `withheld` names what else was left out of it: secret headers, and `proxy` for the user and password of its proxy. */
export const documentUpstreamSchema = upstreamDocumentSchema.extend({
  credential: documentCredentialSchema,
  withheld: z.array(z.union([z.literal('proxy'), z.string().regex(/^header:[!#$%&'*+.^_`|~0-9A-Za-z-]+$/)])).max(100).optional(),
});
export type DocumentUpstream = z.infer<typeof documentUpstreamSchema>;

/** Name of a gateway key: one line, nothing that turns the direction of writing. */
export const keyNameSchema = z.string().trim().min(1).max(100).regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u);
/** A gateway key in a document: the key itself, or the hint of one that was left out. */
const documentKeySchema = z.union([
  z.strictObject({ name: keyNameSchema, key: z.string().regex(/^hf-[A-Za-z0-9_-]{1,200}$/), disabled: z.boolean().optional() }),
  z.strictObject({ name: keyNameSchema, hint, disabled: z.boolean().optional() }),
]);

/** Shape of the import document (SPEC 18.2); settings are validated key by key against `shared/settings.ts`. */
export const documentSchema = z.strictObject({
  holdfast: z.literal(1),
  settings: z.record(z.string(), z.unknown()).default({}),
  upstreams: z.array(documentUpstreamSchema).max(MOST_ENTRIES.upstreams).default([]),
  routes: z.array(routeSchema).max(MOST_ENTRIES.routes).default([]),
  keys: z.array(documentKeySchema).max(MOST_ENTRIES.keys).default([]),
  /** The secrets that were left out, encrypted with a password (JWE, compact). */
  secrets: z.string().max(2_000_000).optional(),
});
export type HoldfastDocument = z.infer<typeof documentSchema>;

/** What can be wrong with a document, an upstream or a route; also keys of words. */
export const FAULT_CODES = [
  'not_json', 'file_unreadable', 'file_too_large', 'too_deep', 'too_many_values', 'too_many_together', 'more',
  'unknown_field', 'missing', 'wrong_type', 'not_allowed', 'text_short', 'text_long', 'list_short', 'list_long', 'number_small', 'number_large',
  'bad_id', 'bad_name', 'bad_key', 'bad_env_name', 'bad_header_name', 'bad_header_value', 'bad_form',
  'no_upstream', 'same_as', 'gone', 'bad_base_url', 'own_address', 'demo', 'bad_proxy', 'own_header', 'setting', 'secrets_unreadable', 'secrets_elsewhere', 'password',
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

/** Kinds of JSON values, as faults name them. */
export const VALUE_KINDS = ['text', 'number', 'whole', 'boolean', 'list', 'object', 'null'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** One fault of a document: where it is and what is allowed there. */
export interface DocumentFault {
  /** Dotted path, `upstreams[0].base_url`; empty for the document itself. */
  readonly path: string;
  /** What is wrong, for words in any language. */
  readonly code: FaultCode;
  /** What the words name: bounds, allowed values, places. Never a secret. */
  readonly values: Readonly<Record<string, string | number>>;
  /** Of the code `setting`: what the setting has against its value. */
  readonly issue?: SettingIssue;
  /** English sentence without the path, for places without translation; never quotes a secret. */
  readonly message: string;
}
