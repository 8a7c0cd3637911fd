import { CompactEncrypt, compactDecrypt, errors } from 'jose';
import { z } from 'zod';
import { upstreamDocumentSchema } from '../../shared/upstream.ts';

// JWE (RFC 7516): a form that other tools can open, too. The key is drawn from the password by PBKDF2 with SHA-512, as often as OWASP advises threefold.
const ALGORITHM = 'PBES2-HS512+A256KW';
const ENCRYPTION = 'A256GCM';
const ROUNDS = 600_000;
// A document says itself how often; more would keep a core busy for minutes.
const MOST_ROUNDS = 2_000_000;

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
export function sealSecrets(secrets: DocumentSecrets, password: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(secrets)))
    .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
    .setKeyManagementParameters({ p2c: ROUNDS })
    .encrypt(new TextEncoder().encode(password.normalize('NFC')));
}

/** Opens what `sealSecrets` made. Never rejects. */
export async function unsealSecrets(sealed: string, password: string): Promise<UnsealedSecrets> {
  let plain: Uint8Array;
  try {
    ({ plaintext: plain } = await compactDecrypt(sealed, new TextEncoder().encode(password.normalize('NFC')), {
      keyManagementAlgorithms: [ALGORITHM], contentEncryptionAlgorithms: [ENCRYPTION], maxPBES2Count: MOST_ROUNDS,
    }));
  } catch (error) {
    return { kind: error instanceof errors.JWEDecryptionFailed ? 'wrong_password' : 'unreadable' };
  }
  try {
    return { kind: 'open', secrets: secretsSchema.parse(JSON.parse(new TextDecoder().decode(plain))) };
  } catch {
    return { kind: 'unreadable' };
  }
}

function headerShape() {
  const record = upstreamDocumentSchema.shape.headers.unwrap();
  return { key: record.keyType, value: record.valueType };
}
