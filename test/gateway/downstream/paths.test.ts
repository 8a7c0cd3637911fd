import { describe, expect, it } from 'vitest';
import { recognise } from '../../../main/gateway/downstream/paths.ts';
import { loggedPath, parseTarget, queryValue } from '../../../main/gateway/downstream/request-target.ts';

function meaningOf(url: string) {
  const target = parseTarget(url);
  if (target === null) return null;
  const { meaning } = recognise(target.path, target.query);
  return meaning.kind === 'exchange'
    ? [meaning.format, meaning.operation, meaning.streamed, meaning.framing, meaning.before + (meaning.model?.raw ?? '') + meaning.after].join(' ')
    : meaning.kind === 'models' ? `models ${meaning.shape} ${meaning.id}` : meaning.kind;
}

// SPEC 1.2: `null` for streamed means that the body says it.
const PATHS: readonly (readonly [string, string])[] = [
  ['/v1/messages', 'anthropic generate  sse /v1/messages'],
  ['/messages', 'anthropic generate  sse /v1/messages'],
  ['/v1/v1/messages', 'anthropic generate  sse /v1/messages'],
  ['/v1/messages/', 'anthropic generate  sse /v1/messages'],
  ['/v1/messages//?beta=true', 'anthropic generate  sse /v1/messages'],
  ['/k/hf-1/v1/messages', 'anthropic generate  sse /v1/messages'],
  ['/k/hf-1/messages', 'anthropic generate  sse /v1/messages'],
  ['/v1/messages/count_tokens', 'anthropic count_tokens false sse /v1/messages/count_tokens'],
  ['/chat/completions', 'chat generate  sse /v1/chat/completions'],
  ['/v1/v1/chat/completions', 'chat generate  sse /v1/chat/completions'],
  ['/responses', 'responses generate  sse /v1/responses'],
  ['/v1/responses/resp_1', 'responses forward  sse /v1/responses/resp_1'],
  ['/v1/responses/resp_1/cancel', 'responses forward  sse /v1/responses/resp_1/cancel'],
  ['/v1/embeddings', 'chat forward  sse /v1/embeddings'],
  ['/v1/batches', 'chat forward  sse /v1/batches'],
  ['/v1/batches/b1/cancel', 'chat forward  sse /v1/batches/b1/cancel'],
  ['/files', 'chat forward  sse /v1/files'],
  ['/v1/files/f1/content', 'chat forward  sse /v1/files/f1/content'],
  ['/v1beta/models/m:generateContent', 'gemini generate false sse /v1beta/models/m:generateContent'],
  ['/v1/models/m:generateContent', 'gemini generate false sse /v1/models/m:generateContent'],
  ['/v1beta/models/m:streamGenerateContent', 'gemini generate true json_array /v1beta/models/m:streamGenerateContent'],
  ['/v1beta/models/m:streamGenerateContent?alt=sse', 'gemini generate true sse /v1beta/models/m:streamGenerateContent'],
  ['/v1beta/models/m:streamGenerateContent?alt=json', 'gemini generate true json_array /v1beta/models/m:streamGenerateContent'],
  ['/v1beta/models/a%2Fb:generateContent', 'gemini generate false sse /v1beta/models/a%2Fb:generateContent'],
  ['/v1beta/models/m:countTokens', 'gemini count_tokens false sse /v1beta/models/m:countTokens'],
  ['/v1beta/models/m:embedContent', 'gemini forward false sse /v1beta/models/m:embedContent'],
  ['/v1/models', 'models by_headers null'],
  ['/models', 'models by_headers null'],
  ['/v1/models/org/m', 'models by_headers org/m'],
  ['/v1beta/models', 'models gemini null'],
  ['/v1beta/models/m', 'models gemini m'],
  ['/healthz', 'health'],
  ['/metrics', 'metrics'],
  ['/api/hello', 'warm_up'],
  ['/', 'warm_up'],
  ['/k/hf-1', 'warm_up'],
  // A step upwards could end at another path of the upstream, whoever decodes it on the way.
  ['/v1beta/models/../../admin/m:generateContent', 'unknown'],
  ['/v1beta/models/..%2f..%2fadmin:generateContent', 'unknown'],
  ['/v1beta/models/..:generateContent', 'gemini generate false sse /v1beta/models/..:generateContent'],
  ['/v1/models/a/%2E%2e/m:streamGenerateContent', 'unknown'],
  ['/v1/files/..%2f..%2Fadmin', 'unknown'],
  ['/v1/files/..\\..\\admin', 'unknown'],
  ['/v1/files/%2e%2e%5Cadmin', 'unknown'],
  ['/v1/responses/resp_1/.', 'unknown'],
  ['/v1/files/a..b', 'chat forward  sse /v1/files/a..b'],
  // Near-misses are not guessed.
  ['/v1', 'unknown'],
  ['/v1/v1/v1/messages', 'unknown'],
  ['/V1/messages', 'unknown'],
  ['//v1/messages', 'unknown'],
  ['/v1/message', 'unknown'],
  ['/v1/messages/batches', 'unknown'],
  ['/v1/completions', 'unknown'],
  ['/v1/%6dessages', 'unknown'],
  ['/models/m:generateContent', 'unknown'],
  ['/v1beta/messages', 'unknown'],
  ['/v1beta/models/m:tune', 'models gemini m:tune'],
  ['/v1beta/models/%zz:generateContent', 'unknown'],
  ['/v1/files/../messages', 'unknown'],
  ['/v1/files/%2e%2E/messages', 'unknown'],
  ['/v1/filesystem', 'unknown'],
  ['/v1/healthz', 'unknown'],
];

describe('paths', () => {
  it.each(PATHS)('%s is: %s', (url, meaning) => { // SPEC 1.2
    expect(meaningOf(url)).toBe(meaning);
  });

  it('names the methods of each path', () => { // SPEC 1.2
    expect(recognise('/v1/messages', '').methods).toEqual(['POST']);
    expect(recognise('/', '').methods).toEqual(['HEAD']);
    expect(recognise('/v1/models', '').methods).toEqual(['GET', 'HEAD']);
    expect(recognise('/v1/files/f', '').methods).toContain('DELETE');
  });
});

describe('request targets', () => {
  it('takes the key prefix, the query key and the rest apart', () => { // SPEC 1.4
    expect(parseTarget('/k/a%2Bb/v1/messages?beta=true&key=s%2Fx&key=&k=1&api_key=z&beta=2')).toEqual({
      authority: null, pathKey: 'a+b', path: '/v1/messages', query: 'beta=true&k=1&api_key=z&beta=2', queryKeys: ['s/x'],
    });
  });

  it('knows a key parameter under an escaped name, and no other', () => { // SPEC 1.4
    expect(parseTarget('/v1/models?k%65y=a&KEY=b&key2=c')).toMatchObject({ queryKeys: ['a'], query: 'KEY=b&key2=c' });
  });

  it('leaves the bytes of the query as they are', () => { // SPEC 1.6
    expect(parseTarget('/v1/messages?a=%20+&b=%zz&a=2')?.query).toBe('a=%20+&b=%zz&a=2');
  });

  it('reads an absolute target with its authority', () => { // SPEC 1.5
    expect(parseTarget('http://evil.example:80/v1/messages')).toMatchObject({ authority: 'evil.example:80', path: '/v1/messages' });
    expect(parseTarget('http://localhost?key=a')).toMatchObject({ authority: 'localhost', path: '/', queryKeys: ['a'] });
  });

  it.each(['*', 'https://x/', 'v1/messages', '/k/%zz/v1/messages'])('%s is no target', (url) => {
    expect(parseTarget(url)).toBeNull();
  });

  it('hides what looks like a credential from the log', () => { // SPEC 12.5
    expect(loggedPath('/v1/messages', 'beta=true&api_key=s1&access_token=s2&x=1')).toBe('/v1/messages?beta=true&api_key=***&access_token=***&x=1');
    expect(loggedPath('/v1/messages', '')).toBe('/v1/messages');
  });

  it('hides a key in a wrong place of the address', () => { // SPEC 12.5
    const key = 'hf-KHmQvwnoDPv0FASHDMZaHVCyxWZ6uZNXDVz-cTfK5Mg';
    expect(loggedPath(`/v1/k/${key}/messages`, `beta=${key}`)).toBe('/v1/k/[masked]/messages?beta=[masked]');
  });

  it('reads the first value of a query parameter', () => {
    expect(queryValue('a=1&alt=sse&alt=json', 'alt')).toBe('sse');
    expect(queryValue('alternative=sse', 'alt')).toBeNull();
  });
});
