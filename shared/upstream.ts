import { z } from 'zod';
import { FORMAT_NAMES } from './format.ts';

export const UPSTREAM_PRESETS = [
  'anthropic', 'openai', 'gemini', 'azure_openai', 'openrouter', 'deepseek', 'mistral', 'groq', 'ollama', 'lm_studio', 'llama_cpp', 'vllm',
  'generic', 'demo',
] as const;
export type UpstreamPreset = (typeof UPSTREAM_PRESETS)[number];

/** What the stored record says of a credential; the secret itself lives in the secret box (SPEC 2.3, 2.4). */
export type CredentialRef =
  | { readonly kind: 'stored'; /** Masked, for the eyes: `sk-...abcd`. */ readonly hint: string }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'client' }
  | { readonly kind: 'none' };

/** One configured provider account (SPEC 2.1). */
export interface Upstream {
  readonly id: string;
  readonly name: string;
  readonly preset: UpstreamPreset;
  /** Normalised: no trailing slash, no `/v1` (SPEC 2.2). */
  readonly baseUrl: string;
  readonly formats: readonly (typeof FORMAT_NAMES)[number][];
  readonly credential: CredentialRef;
  /** Extra headers; they win over the client's. */
  readonly headers: Readonly<Record<string, string>>;
  /** `system`, `none` or a proxy URL (SPEC 2.6). */
  readonly proxy: string;
  /** Globs of the models it takes; empty takes any. */
  readonly models: readonly string[];
  /** 0 = no cap. */
  readonly maxInFlight: number;
  readonly enabled: boolean;
}

// What a header can carry: everything else would break each request, long after it was entered.
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
// One line that reads in the direction of its text: names stand in menus, logs and dialogs.
const name = z.string().trim().min(1).max(100).regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u);
const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);

export const credentialDocumentSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('stored'), value: z.string().trim().min(1).max(8_192).regex(HEADER_VALUE) }),
  z.strictObject({ kind: z.literal('env'), name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/) }),
  z.strictObject({ kind: z.literal('client') }),
  z.strictObject({ kind: z.literal('none') }),
]);
export type CredentialDocument = z.infer<typeof credentialDocumentSchema>;

/** An upstream as the import document writes it (SPEC 18.2). */
export const upstreamDocumentSchema = z.strictObject({
  id,
  name,
  preset: z.enum(UPSTREAM_PRESETS),
  base_url: z.string().trim().min(1).max(2_048),
  formats: z.array(z.enum(FORMAT_NAMES)).min(1).max(4),
  credential: credentialDocumentSchema,
  headers: z.record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/), z.string().max(8_192).regex(HEADER_VALUE)).default({}),
  proxy: z.string().trim().min(1).max(2_048).default('system'),
  models: z.array(z.string().trim().min(1).max(256)).max(1_000).default([]),
  max_in_flight: z.int().min(0).max(10_000).default(0),
  enabled: z.boolean().default(true),
});
export type UpstreamDocument = z.infer<typeof upstreamDocumentSchema>;
