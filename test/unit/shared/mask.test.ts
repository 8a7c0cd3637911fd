import { describe, expect, test } from 'vitest';
import { isSecretHeader, maskSecrets } from '../../../shared/mask.ts';

// SPEC 12.5
describe('secrets are taken out of texts', () => {
  const canary = 'c4n4ryS3cretValue';
  test.each([
    ['exactly known', `the value ${canary} was refused`, [canary]],
    ['an OpenAI key', `Incorrect API key provided: sk-proj-${canary}`, []],
    ['an Anthropic key', `bad sk-ant-api03-${canary}.`, []],
    ['a gateway key', `hf-${canary}_x`, []],
    ['a Google key', `API key not valid: AIza${canary}${canary}`, []],
    ['a bearer token', `Authorization: Bearer ${canary}==`, []],
    ['a bearer token in JSON', `{"authorization":"Bearer ${canary}"}`, []],
    ['a header line', `x-api-key: ${canary}`, []],
    ['a query', `GET /v1beta/models?key=${canary}&alt=sse`, []],
    ['JSON', `{"api_key": "${canary}", "a": 1}`, []],
    ['JSON with a camel case name', `{"apiKey":"${canary}"}`, []],
    ['an address with a password', `http://user:${canary}@host/`, []],
    ['a password', `password=${canary}`, []],
    ['a cookie', `cookie: sid=${canary}`, []],
    ['a web token', `token eyJhbGciOiJIUzI1NiJ9.${canary}.${canary}`, []],
  ])('%s', (_name, text, known) => {
    expect(maskSecrets(text, known)).not.toContain(canary);
    expect(maskSecrets(text, known)).toContain('[masked]');
  });

  test('ordinary words stay', () => {
    const text = 'max_tokens: 4096 is above the key limit; the task-list says risk-free and ask-me. Request req_011CSHoEeqs5C35K2UUqR7Fy, model claude-sonnet-5.';
    expect(maskSecrets(text, ['abc', ''])).toBe(text);
  });

  test('names stay readable and masking twice changes nothing', () => {
    const once = maskSecrets('{"x-api-key":"abcdefgh","n":1} ?key=abcd&alt=sse Bearer abcdefgh');
    expect(once).toBe('{"x-api-key":"[masked]","n":1} ?key=[masked]&alt=sse Bearer [masked]');
    expect(maskSecrets(once)).toBe(once);
  });

  test('a long text costs linear time', () => {
    const text = 'key '.repeat(100_000) + 'a:'.repeat(100_000) + 'https://'.repeat(20_000);
    const started = performance.now();
    maskSecrets(text);
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  test('headers are secret by name', () => {
    expect(['Authorization', 'x-api-key', 'X-Custom-Token', 'cookie', 'x-secret', 'cf-aig-authorization', 'Helicone-Auth', 'x-passwd'].every(isSecretHeader)).toBe(true);
    expect(['content-type', 'user-agent', 'anthropic-version'].some(isSecretHeader)).toBe(false);
  });
});
