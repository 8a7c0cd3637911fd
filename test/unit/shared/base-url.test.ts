import { describe, expect, test } from 'vitest';
import { joinTarget, normaliseBaseUrl } from '../../../shared/base-url.ts';

// SPEC 2.2
describe('a base URL means the same with and without /v1 and slashes', () => {
  test.each([
    ['http://host', 'http://host'],
    ['http://host/', 'http://host'],
    ['http://host/v1', 'http://host'],
    ['http://host/v1/', 'http://host'],
    ['http://host//v1//', 'http://host'],
    ['http://host/api/anthropic', 'http://host/api/anthropic'],
    ['http://host/api/anthropic/v1/', 'http://host/api/anthropic'],
    ['https://generativelanguage.googleapis.com/v1beta', 'https://generativelanguage.googleapis.com'],
    ['  HTTPS://Host:443/V ', 'https://host/V'],
    ['http://[::1]:8080/v1', 'http://[::1]:8080'],
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434'],
    ['http://host/v11', 'http://host/v11'],
  ])('%s is %s', (given, url) => {
    expect(normaliseBaseUrl(given)).toEqual({ ok: true, url });
  });

  test.each([
    ['', 'not_a_url'],
    ['nonsense with blanks', 'not_a_url'],
    ['http://', 'not_a_url'],
    ['http://host:99999', 'not_a_url'],
    ['localhost:11434', 'scheme'],
    ['api.example.com/v1', 'scheme'],
    ['ftp://host', 'scheme'],
    ['http://user:pass@host', 'credentials'],
    ['http://host/?key=1', 'query'],
    ['http://host/#top', 'query'],
  ])('%s is refused: %s', (given, code) => {
    expect(normaliseBaseUrl(given)).toMatchObject({ ok: false, code });
  });

  test('what was normalised stays as it is', () => {
    const once = normaliseBaseUrl('https://host/api/v1/');
    expect(once.ok && normaliseBaseUrl(once.url)).toEqual(once);
  });
});

describe('the path asked for is joined without doubling and without touching a byte', () => {
  const bases = ['http://host', 'http://host/', 'http://host/v1', 'http://host/v1/', 'http://host/api/anthropic', 'http://host/api/anthropic/v1/'];
  const targets = ['/v1/messages?beta=true', '/v1beta/models/a%2Fb:generateContent?alt=sse', '/v1/models?key=a&key=b', '/v1/chat/completions'];
  test.each(bases.flatMap((base) => targets.map((target) => [base, target] as const)))('%s + %s', (base, target) => {
    const read = normaliseBaseUrl(base);
    expect(read.ok && joinTarget(read.url, target)).toBe(`${base.includes('anthropic') ? '/api/anthropic' : ''}${target}`);
  });

  test('a base that ends in another version takes the place of /v1', () => {
    expect(joinTarget('https://host/api/v3', '/v1/chat/completions?x=1')).toBe('/api/v3/chat/completions?x=1');
    expect(joinTarget('https://host/api/v3', '/v1beta/models')).toBe('/api/v3/v1beta/models');
  });
});
