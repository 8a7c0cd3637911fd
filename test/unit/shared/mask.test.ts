import { describe, expect, test } from 'vitest';
import { isSecretHeader, maskHeader, maskSecrets } from '../../../shared/mask.ts';

/** What a piece of work takes of the processor, ms: other processes of the machine do not count. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const canary = 'c4n4ryS3cretValue';
const hex = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

// SPEC 12.5
describe('secrets are taken out of texts', () => {
  test.each([
    ['an OpenAI key', `Incorrect API key provided: sk-proj-${canary}`],
    ['an Anthropic key', `bad sk-ant-api03-${canary}.`],
    ['an old OpenAI key', `sk-${canary}${canary}`],
    ['a gateway key', `hf-${canary}_x`],
    ['a Google key', `API key not valid: AIza${canary}${canary}`],
    ['a new Google key', `AQ.Ab8${canary}-x`],
    ['a Google access token', `ya29.a0${canary}`],
    ['a Groq key', `gsk_${canary}`],
    ['a Nvidia key', `nvapi-${canary}`],
    ['a GitHub token', `ghp_${canary}`],
    ['a fine GitHub token', `github_pat_11A_${canary}`],
    ['a GitLab token', `glpat-${canary}`],
    ['a Slack token', `xoxb-123-${canary}`],
    ['a Stripe key', `sk_live_${canary}`],
    ['a web token', `token eyJhbGciOiJIUzI1NiJ9.${canary}.${canary}`],
    ['a key behind an escaped line feed', `{"text":"my key:\\nsk-ant-api03-${canary}"}`],
    ['a key behind an encoded quote', `q=%22sk-ant-api03-${canary}%22`],
    ['a key inside a word', `OPENAI_sk-proj-${canary}`],
    ['a bearer token', `Authorization: Bearer ${canary}==`],
    ['a bearer token alone', `curl -H 'bearer ${canary}'`],
    ['a bearer token in JSON', `{"authorization":"Bearer ${canary}"}`],
    ['basic authentication', `Basic dXNlcjo${canary}`],
    ['another scheme', `authorization: Digest username="a", response="${canary}"`.replaceAll('"', '')],
    ['a header line', `x-api-key: ${canary}`],
    ['a query', `GET /v1beta/models?key=${canary}&alt=sse`],
    ['a query of HTML', `<a href="/x?a=b&amp;key=${canary}">`],
    ['an address inside an address', `location: /login?next=https%3A%2F%2Fhost%2F%3Fkey%3D${canary}%26a%3Db`],
    ['a signed address', `https://bucket/x?sig=${canary}`],
    ['JSON', `{"api_key": "${canary}", "a": 1}`],
    ['JSON inside JSON', `{"arguments":"{\\"api_key\\": \\"${canary}\\"}"}`],
    ['JSON with a camel case name', `{"apiKey":"${canary}"}`],
    ['a list of JSON', `{"api_key": ["${canary}"]}`],
    ['JSON with an escaped quote', `{"password":"a\\"${canary}"}`],
    ['a value that is cut off', `{"client_secret":"${canary}`],
    ['an environment file', `ANTHROPIC_AUTH_TOKEN=${canary}`],
    ['code', `const apiKey = '${canary}';`],
    ['an address with a password', `http://user:${canary}@host/`],
    ['an address of a database', `postgres://user:${canary}@host/db`],
    ['an address with escaped slashes', `{"proxy":"http:\\/\\/user:${canary}@host"}`],
    ['an address with a token for a user', `https://${canary}${canary}@github.com/a/b`],
    ['a password', `password=${canary}`],
    ['a password in a sentence', `the password: ${canary} is wrong`],
    ['a cookie', `cookie: sid=${canary}; other=${canary}`],
    ['a cookie that is set', `Set-Cookie: sid=1; x=${canary}\r\n`],
    ['a key of Amazon', `{"aws_secret_access_key":"wJalrXUtnFEMI/${canary}"}`],
    ['a PEM block', `-----BEGIN RSA PRIVATE KEY-----\nMIIE${canary}\n${canary}\n-----END RSA PRIVATE KEY-----`],
    ['a PEM block in JSON', `"-----BEGIN PRIVATE KEY-----\\nMIIE${canary}\\n-----END PRIVATE KEY-----"`],
    ['an encrypted PEM block', `-----BEGIN EC PRIVATE KEY-----\nDEK-Info: AES-128-CBC,00\n\n${canary}`],
    ['a token by its name', `{"token":"${canary}1x"}`],
  ])('%s', (_name, text) => {
    const masked = maskSecrets(text);
    expect(masked).not.toContain(canary);
    expect(masked).toContain('[masked]');
    expect(maskSecrets(masked)).toBe(masked);
  });

  test('a key of Amazon by its shape', () => {
    expect(maskSecrets('use AKIAIOSFODNN7EXAMPLE, please')).toBe('use [masked], please');
  });

  test.each([
    ['as it is', `the value ${canary} was refused`, canary],
    ['inside a word', `x${canary}y`, canary],
    ['as JSON spells it', JSON.stringify({ a: 'pass"word/\\x' }), 'pass"word/\\x'],
    ['as JSON spells it with slashes', '{"a":"pass\\/word+"}', 'pass/word+'],
    ['as an address spells it', `?a=${encodeURIComponent('päss/wörd+')}`, 'päss/wörd+'],
  ])('a known one %s', (_name, text, known) => {
    const masked = maskSecrets(text, [known]);
    expect(masked).toContain('[masked]');
    expect(masked).not.toContain(known);
    expect(masked).not.toContain('word');
  });

  test('names stay readable and masking twice changes nothing', () => {
    const once = maskSecrets('{"x-api-key":"abcdefgh","n":1} ?key=abcd&alt=sse Bearer abcdefgh');
    expect(once).toBe('{"x-api-key":"[masked]","n":1} ?key=[masked]&alt=sse Bearer [masked]');
    expect(maskSecrets(once)).toBe(once);
  });

  test('JSON stays JSON', () => {
    const text = JSON.stringify({ password: 'a"b\\', list: [{ api_key: 'abcd' }], text: `-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\nsk-ant-api03-${canary}` });
    expect(JSON.parse(maskSecrets(text))).toEqual({ password: '[masked]', list: [{ api_key: '[masked]' }], text: '-----BEGIN PRIVATE KEY-----[masked]-----END PRIVATE KEY-----\n[masked]' });
  });
});

describe('what is no secret stays', () => {
  test.each([
    ['prose', 'max_tokens: 4096 is above the key limit; the task-list says risk-free and ask-me.'],
    ['an id of a request', 'Request req_011CSHoEeqs5C35K2UUqR7Fy, model claude-sonnet-5, call toolu_01A09q90qw90lq917835lq9, chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT'],
    ['a hash', `commit ${hex}, sha256:${hex}, 550e8400-e29b-41d4-a716-446655440000`],
    ['an encoded picture', `{"type":"image","data":"iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4/8==${'A1b2'.repeat(40)}"}`],
    ['sealed reasoning', `{"type":"thinking","signature":"EqQBCgIYAhIM${hex}"}`],
    ['log probabilities', '{"token":"Hello","logprob":-0.31725305,"bytes":[72]},{"token":"function_call_output"}'],
    ['cache keys', `{"prompt_cache_key":"${hex}","idempotency_key":"${hex}"}`],
    ['a schema', '{"properties":{"api_key":{"type":"string"},"password":{"description":"of the user"}},"required":["api_key","password"]}'],
    ['placeholders', '{"api_key":"${API_KEY}"} x-api-key: $KEY, api_key=<your key> password: null, authorization: Bearer $TOKEN'],
    ['code that names a secret', 'apiKey: process.env.OPENAI_API_KEY_2, api_key=os.environ["KEY"], OpenAI(api_key=settings.openai_key), password=self.password; interface A { password: string; apiKey: string | null }'],
    ['words before a colon', 'Password: must be at least eight characters. Secret: the hidden one. The key: use fewer words.'],
    ['words behind a scheme', 'Bearer authentication is needed; Basic understanding and basic knowledge of a bearer of news. Use the Bearer token.'],
    ['addresses', 'http://127.0.0.1:4653/v1/messages?beta=true and git@github.com:a/b.git, ssh://git@github.com/a, mailto:a@b.c'],
    ['models', 'pplx-7b-online, hf-mistral-7b, sk-learn-extra, fw-llama, key-value-store, npm_config_registry'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----'],
    ['code about keys', 'if (text.startsWith("-----BEGIN PRIVATE KEY-----")) password = getpass(); for (key of keys) map[key] = value;'],
    ['a map', '{"key":"claude-sonnet-4-20250514","value":1}'],
    ['usage', '{"input_tokens":25,"output_tokens":1,"max_tokens":1024,"stop_token":null}'],
  ])('%s', (_name, text) => {
    expect(maskSecrets(text, ['abc', ''])).toBe(text);
  });
});

describe('a text that was cut off ends in no beginning of a secret', () => {
  const long = 'hf-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';
  test.each([
    ['a known one', 'and the key is ', 'zq9-knownsecretvalue', ['zq9-knownsecretvalue']],
    ['a key', 'and the key is ', 'sk-ant-api03-abcdefgh', []],
    ['a weak key', 'and the key is ', long, []],
    ['a bearer token', 'use Bearer ', canary, []],
    ['a password in an address', 'http://', `user:${canary}`, []],
    ['a JSON field', '{"api_key":"', canary, []],
    ['a web token', 'x ', `eyJhbGciOiJIUzI1NiJ9.${canary}`, []],
  ])('%s', (_name, before, secret, known) => {
    for (let length = 8; length < secret.length; length++) {
      const masked = maskSecrets(before + secret.slice(0, length), known, { cut: true });
      expect(masked.slice(before.length), `after ${length}`).toBe('[masked]');
    }
  });

  test('and a whole text is not looked at like that', () => {
    expect(maskSecrets('it begins with sk-ant-ap')).toBe('it begins with sk-ant-ap');
  });
});

test('what only begins like code that names a secret goes', () => {
  for (const value of ['config', 'settings.9Zx81kQp', 'self', 'strings', 'args.a-b']) expect(maskSecrets(`password=${value}`)).toBe('password=[masked]');
});

// SPEC 12.5: opaque tokens of some providers are longer than a thousand characters.
test.each([150, 199, 200, 201, 300, 5_000])('a random value of %i characters goes whole, with and without quotes', (length) => {
  const token = 'aB3dE5gH7jK9mN1pQ2'.repeat(300).slice(0, length);
  expect(maskSecrets(`{"token":"${token}","a":1}`)).toBe('{"token":"[masked]","a":1}');
  expect(maskSecrets(`{"arguments":"{\\"key\\": \\"${token}\\"}"}`)).toBe('{"arguments":"{\\"key\\": \\"[masked]\\"}"}');
  expect(maskSecrets(`token=${token} a`)).toBe('token=[masked] a');
  expect(maskSecrets(`auth: ${token}==, a`)).toBe('auth: [masked], a');
});

describe('time grows with the length and no faster, whoever wrote the text', () => {
  const bytes = 256 * 1024;
  test.each([
    'key ', 'key=', 'key="', 'key=\\"', 'key=\'key="', 'password="', 'token = [', 'a:', '=', ':', 'https://', 'http://a:b', '://@', '://', 'eyJ-', 'eyJaaaaaaaaaa.', 'eyJaaaaaaaaaa.aaa', 'sk-', 'sk-ant-', 'AKIA',
    'AIza', 'bearer ', 'basic aaaaaaaaaa ', 'cookie: ', '-----BEGIN PRIVATE KEY-----', '-----BEGIN ', '-', '\\', '%3D', '%3Fkey%3D', '?key=', 'ya29.', 'SG.aaaaaaaaaa.', 'a', `${'a'.repeat(60)}key:`, `key=${'a1'.repeat(99)},`, `key=${'a1'.repeat(150)}=`, `key="${'a1'.repeat(150)}`,
  ])('%j', (piece) => {
    const text = (length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const took = (length: number): number => {
      const long = text(length);
      return cpuMs(() => { maskSecrets(long, ['zzzzzzzz'], { cut: true }); });
    };
    took(bytes / 16);
    // Eight times the text: a square would take sixty-four times as long. The constant is for what the runtime does beside it.
    const [short, whole] = [took(bytes / 8), took(bytes)];
    expect(whole).toBeLessThan(short * 24 + 150);
  });

  test('names and quotes behind ever more backslashes', () => {
    const text = Array.from({ length: 700 }, (_, n) => `key=${'\\'.repeat(n)}"`).join('');
    expect(cpuMs(() => { maskSecrets(text); })).toBeLessThan(500);
  });
});

describe('headers', () => {
  test('are secret by name', () => {
    expect(['Authorization', 'x-api-key', 'X-Custom-Token', 'cookie', 'x-secret', 'cf-aig-authorization', 'Helicone-Auth', 'x-passwd', 'x-goog-api-key', 'Set-Cookie', 'x-amz-security-token', 'x-pass', 'x-forwarded-jwt', 'X-GitHub-Pat', 'x-csrf'].filter((name) => !isSecretHeader(name))).toEqual([]);
    expect(['content-type', 'user-agent', 'anthropic-version', 'anthropic-ratelimit-tokens-remaining', 'x-ratelimit-limit-tokens', 'idempotency-key', 'www-authenticate', 'access-control-allow-credentials', 'sec-websocket-key', 'x-path', 'x-compass', 'x-pattern'].filter(isSecretHeader)).toEqual([]);
  });

  test('show no more than the scheme of a secret, and of others what is no secret', () => {
    expect(maskHeader('authorization', `Bearer ${canary}`)).toBe('Bearer [masked]');
    expect(maskHeader('x-api-key', canary)).toBe('[masked]');
    expect(maskHeader('cookie', `a=${canary}`)).toBe('[masked]');
    expect(maskHeader('location', `https://host/?key=${canary}`)).toBe('https://host/?key=[masked]');
    expect(maskHeader('user-agent', 'claude-cli/2.1.0')).toBe('claude-cli/2.1.0');
    expect(maskHeader('x-note', `it is ${canary}`, [canary])).toBe('it is [masked]');
  });
});
