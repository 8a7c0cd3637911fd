// SPEC 2.1, 2.2: Azure's addresses.
import { describe, expect, test } from 'vitest';
import { joinTarget, normaliseBaseUrl } from '../../../shared/base-url.ts';

const normal = (text: string): string => {
  const reading = normaliseBaseUrl(text, 'azure_openai');
  return reading.ok ? reading.url : reading.code;
};

describe('an Azure address', () => {
  const resource = 'https://r.openai.azure.com';
  test.each([
    [resource, `${resource}/openai`], [`${resource}/`, `${resource}/openai`], [`${resource}/openai/v1/`, `${resource}/openai`], [`${resource}/v1`, `${resource}/openai`],
    [`${resource}/openai/v1/chat/completions`, `${resource}/openai`],
    [`${resource}?api-version=2025-04-01-preview`, `${resource}/openai?api-version=2025-04-01-preview`],
    [`${resource}/openai/v1?api-version=preview`, `${resource}/openai?api-version=preview`], [`${resource}/openai/v1?api-version=v1`, `${resource}/openai`],
    [`${resource}/openai/deployments/gpt-4o/chat/completions?api-version=2024-02-01`, `${resource}/openai/deployments/gpt-4o?api-version=2024-02-01`],
    [`${resource}/openai/deployments/gpt-4o`, `${resource}/openai/deployments/gpt-4o?api-version=2024-10-21`],
    ['https://gw.example.com/team/openai/v1', 'https://gw.example.com/team/openai'],
    [`${resource}/openai?api-version=2024-02-01&x=1`, 'query'], [`${resource}/openai?key=1`, 'query'], [`${resource}/openai#a`, 'query'], [`${resource}/openai?api-version=a%0Ab`, 'query'],
    ['ftp://r', 'scheme'], ['https://u:p@r.openai.azure.com', 'credentials'],
  ])('%s is saved as %s', (text, expected) => { expect(normal(text)).toBe(expected); });

  test.each(['openai', 'openai?api-version=2024-02-01', 'openai/deployments/x?api-version=2024-02-01', 'openai?api-version=preview'])('the form of %s stays what it is', (path) => {
    expect(normal(`${resource}/${path}`)).toBe(`${resource}/${path}`);
  });

  test('only Azure may have a query', () => { expect(normaliseBaseUrl(`${resource}?api-version=2024-02-01`)).toMatchObject({ ok: false, code: 'query' }); });
});

describe('what is asked for there', () => {
  const at = (path: string, target: string, model: string | null = 'my gpt') => joinTarget(`https://r.azure.com${path}`, target, 'azure_openai', model);
  test.each([
    ['/openai', '/v1/chat/completions', '/openai/v1/chat/completions'], ['/openai', '/v1/responses', '/openai/v1/responses'], ['/openai', '/v1/models?a=b', '/openai/v1/models?a=b'],
    ['/openai?api-version=preview', '/v1/responses', '/openai/v1/responses?api-version=preview'],
    ['/openai?api-version=2024-10-21', '/v1/chat/completions', '/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21'],
    ['/openai?api-version=2024-10-21', '/v1/embeddings?x=1', '/openai/deployments/my%20gpt/embeddings?x=1&api-version=2024-10-21'],
    ['/openai?api-version=2025-04-01-preview', '/v1/responses', '/openai/responses?api-version=2025-04-01-preview'],
    ['/openai?api-version=2024-10-21', '/v1/models', '/openai/models?api-version=2024-10-21'],
    ['/openai/deployments/d?api-version=2024-10-21', '/v1/chat/completions', '/openai/deployments/d/chat/completions?api-version=2024-10-21'],
    ['/openai/deployments/d?api-version=2024-10-21', '/v1/models', '/openai/models?api-version=2024-10-21'],
    ['/team/openai', '/v1/chat/completions', '/team/openai/v1/chat/completions'],
  ])('at %s, %s is %s', (path, target, expected) => { expect(at(path, target)).toBe(expected); });
  test('without a model the resource itself is asked', () => { expect(at('/openai?api-version=2024-10-21', '/v1/chat/completions', null)).toBe('/openai/chat/completions?api-version=2024-10-21'); });
});
