import { randomBytes, scrypt } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader, errors } from 'jose';
import { z } from 'zod';
import { upstreamDocumentSchema } from '../../shared/upstream.ts';

// JWE (RFC 7516) with the key itself (`dir`), drawn from the password by scrypt as OWASP advises; how stands in its header. The ways of JWE's own to draw
// a key from a password wrap another one in it, which the crypto library of Electron cannot do.
const ENCRYPTION = 'A256GCM';
const ROUNDS = 131_072;
const BLOCK = 8;
const SALT_BYTES = 16;
// A document says itself how much work it is; more would take a gigabyte of memory.
const MOST_ROUNDS = 262_144;
const LEAST_ROUNDS = 16_384;

const { value } = upstreamDocumentSchema.shape.credential.options[0].shape;
const { key: headerName, value: headerValue } = headerShape();
const secretsSchema = z.strictObject({
  upstreams: z.array(z.strictObject({
    id: z.string().max(64),
    /** Where they belong to: they are given to no other address. */
    base_url: z.string().max(2_048),
    /** The proxy as the document shows it. */
    proxy_host: z.string().max(2_048),
    credential: value.nullable(),
    proxy: z.string().max(2_048).nullable(),
    headers: z.array(z.tuple([headerName, headerValue])).max(100),
  })).max(200),
  keys: z.array(z.strictObject({ name: z.string().max(100), key: z.string().regex(/^hf-[A-Za-z0-9_-]{1,200}$/) })).max(100),
});
/** The secrets of a document (SPEC 18.2). */
export type DocumentSecrets = z.infer<typeof secretsSchema>;

/** How opening them went. */
export type UnsealedSecrets = { readonly kind: 'open'; readonly secrets: DocumentSecrets } | { readonly kind: 'wrong_password' } | { readonly kind: 'unreadable' };

/** Encrypts secrets with a password. Off this thread; takes about half a second. */
export async function sealSecrets(secrets: DocumentSecrets, password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(password, salt, ROUNDS);
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(secrets)))
    .setProtectedHeader({ alg: 'dir', enc: ENCRYPTION, kdf: 'scrypt', n: ROUNDS, r: BLOCK, p: 1, salt: salt.toString('base64url') })
    .encrypt(key);
}

/** Opens what `sealSecrets` made. Never rejects. */
export async function unsealSecrets(sealed: string, password: string): Promise<UnsealedSecrets> {
  let plain: Uint8Array;
  try {
    const { n, salt } = headerSchema.parse(decodeProtectedHeader(sealed));
    const key = await keyOf(password, Buffer.from(salt, 'base64url'), n);
    ({ plaintext: plain } = await compactDecrypt(sealed, key, { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: [ENCRYPTION] }));
  } catch (error) {
    return { kind: error instanceof errors.JWEDecryptionFailed ? 'wrong_password' : 'unreadable' };
  }
  try {
    return { kind: 'open', secrets: secretsSchema.parse(JSON.parse(new TextDecoder().decode(plain))) };
  } catch {
    return { kind: 'unreadable' };
  }
}

const headerSchema = z.strictObject({
  alg: z.literal('dir'), enc: z.literal(ENCRYPTION), kdf: z.literal('scrypt'), r: z.literal(BLOCK), p: z.literal(1),
  n: z.int().min(LEAST_ROUNDS).max(MOST_ROUNDS).refine((n) => (n & (n - 1)) === 0), salt: z.base64url().min(16).max(64),
});

function keyOf(password: string, salt: Uint8Array, rounds: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // Letters that can be composed in two ways are one password.
    scrypt(password.normalize('NFC'), salt, 32, { N: rounds, r: BLOCK, p: 1, maxmem: 512 * 1024 * 1024 }, (error, key) => {
      if (error === null) resolve(new Uint8Array(key));
      else reject(error);
    });
  });
}

function headerShape() {
  const record = upstreamDocumentSchema.shape.headers.unwrap();
  return { key: record.keyType, value: record.valueType };
}
