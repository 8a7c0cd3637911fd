// Whose value is a secret, told by the name in front of it.

/** `always`: whatever the value is; `shaped`: a value that looks random; `query`: only as a parameter of a URL. */
export type NameClass = 'always' | 'shaped' | 'query' | 'no';

const ALWAYS = new Set([
  'password', 'passwd', 'passphrase', 'pwd', 'secret', 'apikey', 'authorization', 'cookie', 'secretkey', 'accesskey', 'privatekey', 'accesstoken', 'authtoken', 'refreshtoken', 'clientsecret',
]);
const KEYS_OF = new Set(['api', 'secret', 'access', 'private', 'account', 'subscription', 'signing', 'encryption', 'auth', 'service', 'master', 'admin']);
const TOKENS_OF = new Set(['access', 'refresh', 'auth', 'id', 'session', 'bearer', 'security', 'api', 'csrf', 'xsrf', 'oauth', 'bot', 'personal', 'deploy']);
// Log probabilities, caches and maps have keys and tokens that are none.
const SHAPED = new Set(['key', 'token', 'pass', 'auth', 'credential', 'credentials']);
const HARMLESS = new Set(['cache', 'idempotency', 'public', 'primary', 'foreign', 'sort', 'partition', 'object', 'page', 'next', 'continuation', 'cancellation', 'max', 'stop', 'eos', 'pad']);
const QUERY = new Set(['sig', 'signature']);
const ENDING = /(?:key|token|secret|passw(?:or)?d|passphrase|pwd|authorization|cookie|credentials?|auth|pass|sig|signature)$/i;

/** Judges a name as it stands: `OPENAI_API_KEY`, `apiKey`, `x-goog-api-key`. */
export function classOfName(name: string): NameClass {
  if (!ENDING.test(name)) return 'no';
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase().split(/[-_.]+/);
  const last = words.at(-1) ?? '';
  const owner = words.at(-2) ?? '';
  if (ALWAYS.has(last) || (last === 'key' && KEYS_OF.has(owner)) || (last === 'token' && TOKENS_OF.has(owner))) return 'always';
  if (SHAPED.has(last) && !HARMLESS.has(owner)) return 'shaped';
  return QUERY.has(last) ? 'query' : 'no';
}

/** Whether all of the line is the value: a cookie has blanks in it. */
export function takesLine(name: string): boolean {
  return /(?:authorization|cookie)$/i.test(name);
}

// What stands for a secret and is none.
const PLACEHOLDER = /^(?:\$\{?[A-Za-z_][A-Za-z0-9_]*\}?|\{+[\w. ]+\}+|<[\w -]+>|\*+|\.{3}|true|false|null|none|nil|undefined|string|str|number|boolean|bool|int|any|unknown|\[masked\])$/i;
// Code that says where it takes a secret from: `process.env.KEY`, `self.api_key`, `os.environ[`.
const REFERENCE = /^(?:(?:process\.env|import\.meta\.env|os\.environ)(?:\.\w+)?|(?:self|this|args|config|settings|options|props|env|ctx)(?:\.[A-Za-z_]+)+)\[?$/;

/** Whether a value only says where a secret would be. */
export function isPlaceholder(value: string): boolean {
  return value.length <= 64 && (PLACEHOLDER.test(value) || REFERENCE.test(value));
}

// Gateways of others have names of their own for it: `cf-aig-authorization`, `helicone-auth`.
const SECRET_HEADER = /auth|cookie|key|token(?!s)|secret|passw|credential|signature|jwt|(?:^|[-_])(?:pass|pwd|pat|csrf|xsrf|sig)$/i;
const OPEN_HEADER = /rate-?limit|^idempotency-key$|^(?:www|proxy)-authenticate$|^access-control-|^sec-/i;

/** Whether a header's value must never be written down, judged by its name. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name) && !OPEN_HEADER.test(name);
}
