import { describe, expect, it } from 'vitest';
import { clientFacts } from '../../../main/gateway/downstream/client.ts';
import { judgeKeys, presentedKeys } from '../../../main/gateway/downstream/presented-keys.ts';
import { headersWithCredential, upstreamHeaders } from '../../../main/gateway/downstream/request-headers.ts';
import { parseTarget } from '../../../main/gateway/downstream/request-target.ts';
import { uuidV7 } from '../../../main/gateway/downstream/uuid.ts';
import type { Keys } from '../../../main/gateway/ports.ts';

const keys: Keys = {
  check: (key) => {
    if (key === 'hf-1' || key === 'hf-2') return { kind: 'valid', id: key, name: `name of ${key}`, revoked: new AbortController().signal };
    return { kind: key === 'hf-off' ? 'disabled' : 'unknown' };
  },
};

function judged(url: string, headers: Record<string, string>) {
  const target = parseTarget(url);
  if (target === null) throw new Error('no target');
  const verdict = judgeKeys(presentedKeys(target, headers), keys);
  return [verdict.kind === 'valid' ? verdict.name : verdict.kind, verdict.own.map((key) => `${key.place}=${key.value}`).join(' ')];
}

describe('keys', () => {
  it.each([
    // SPEC 1.4: every place
    ['/v1/messages', { authorization: 'Bearer hf-1' }, 'name of hf-1', ''],
    ['/v1/messages', { authorization: 'bearer   hf-1 ' }, 'name of hf-1', ''],
    ['/v1/messages', { 'x-api-key': 'hf-1' }, 'name of hf-1', ''],
    ['/v1/messages', { 'x-goog-api-key': 'hf-1' }, 'name of hf-1', ''],
    ['/v1/messages?key=hf-1', {}, 'name of hf-1', ''],
    ['/k/hf-1/v1/messages', {}, 'name of hf-1', ''],
    // The path prefix first of all; what else comes is the client's own.
    ['/k/hf-1/v1/messages', { authorization: 'Bearer sk-own', 'x-api-key': 'hf-2' }, 'name of hf-1', 'authorization=sk-own'],
    ['/k/hf-1/v1/messages?key=own', { authorization: 'Basic eA==' }, 'name of hf-1', 'authorization=Basic eA== query=own'],
    // One valid key is enough; the others are not used.
    ['/v1/messages', { authorization: 'Bearer sk-other', 'x-api-key': 'hf-1' }, 'name of hf-1', ''],
    ['/k/wrong/v1/messages', { 'x-api-key': 'hf-1' }, 'name of hf-1', ''],
    ['/v1/messages?key=hf-2', { 'x-api-key': 'hf-1' }, 'name of hf-1', ''],
    // Empty counts as absent.
    ['/v1/messages', { authorization: 'Bearer ', 'x-api-key': '', 'x-goog-api-key': ' ' }, 'missing', ''],
    ['/v1/messages?key=', { authorization: '' }, 'missing', ''],
    ['/v1/messages?api_key=hf-1&KEY=hf-1', {}, 'missing', ''],
    ['/v1/messages', { 'x-api-key': 'nope' }, 'unknown', 'x-api-key=nope'],
    ['/v1/messages', { 'x-api-key': 'hf-off' }, 'disabled', ''],
    ['/v1/messages', { authorization: 'Bearer nope', 'x-api-key': 'hf-off' }, 'disabled', 'authorization=nope'],
  ])('%s with %j: %s, own: %s', (url, headers, verdict, own) => {
    expect(judged(url, headers)).toEqual([verdict, own]);
  });
});

const HEADERS = {
  host: 'localhost', connection: 'close, anthropic-hop', 'anthropic-hop': '1', 'keep-alive': 'x', te: 'trailers', 'transfer-encoding': 'chunked', 'proxy-authorization': 'Basic x',
  'content-type': 'application/json', accept: '*/*', 'accept-encoding': 'gzip', 'idempotency-key': 'i', 'user-agent': 'u', cookie: 'c=1', origin: 'http://x', referer: 'http://x',
  authorization: 'Bearer sk-own', 'x-api-key': 'hf-2', 'x-goog-api-key': 'g', 'anthropic-version': '2023-06-01', 'anthropic-beta': 'b1',
  'anthropic-dangerous-direct-browser-access': 'true', 'openai-beta': 'o', 'x-client-request-id': 'r', 'x-codex-turn': 't', session_id: 's', originator: 'codex_cli_rs',
  'x-goog-api-client': 'gl', 'x-stainless-retry-count': '1', 'x-app': 'cli', 'content-length': '3', 'content-encoding': 'gzip', expect: '100-continue',
};
const COMMON = { 'content-type': 'application/json', accept: '*/*', 'idempotency-key': 'i', 'user-agent': 'u' };

describe('headers for the upstream', () => {
  it('are the allow-list of the format', () => { // SPEC 1.7
    const openai = { 'openai-beta': 'o', 'x-client-request-id': 'r', 'x-codex-turn': 't', session_id: 's', originator: 'codex_cli_rs' };
    expect(upstreamHeaders('anthropic', HEADERS)).toEqual({ ...COMMON, 'anthropic-version': '2023-06-01', 'anthropic-beta': 'b1' });
    expect(upstreamHeaders('chat', HEADERS)).toEqual({ ...COMMON, ...openai });
    expect(upstreamHeaders('responses', HEADERS)).toEqual({ ...COMMON, ...openai });
    expect(upstreamHeaders('gemini', HEADERS)).toEqual({ ...COMMON, 'x-goog-api-client': 'gl' });
  });

  it('are all but a few where the client brings its own credential', () => { // SPEC 2.4
    expect(headersWithCredential(HEADERS, [{ place: 'authorization', value: 'sk-own' }])).toEqual({
      ...COMMON, authorization: 'Bearer sk-own', 'anthropic-version': '2023-06-01', 'anthropic-beta': 'b1', 'anthropic-dangerous-direct-browser-access': 'true',
      'openai-beta': 'o', 'x-client-request-id': 'r', 'x-codex-turn': 't', session_id: 's', originator: 'codex_cli_rs', 'x-goog-api-client': 'gl',
      'x-stainless-retry-count': '1', 'x-app': 'cli',
    });
  });

  it('carry a key from the query as a header', () => { // SPEC 2.4
    expect(headersWithCredential({}, [{ place: 'query', value: 'own' }])).toEqual({ 'x-goog-api-key': 'own' });
  });
});

describe('clients', () => {
  it.each([
    ['claude-cli/2.1.328 (external, cli)', 'Claude Code'],
    ['codex_cli_rs/0.169.0 (Debian 12; x86_64)', 'Codex'],
    ['codex_exec/0.169.0', 'Codex'],
    ['GeminiCLI/0.61.0/gemini-3.5-pro (linux; x64)', 'Gemini CLI'],
    ['opencode/1.2.3 ai-sdk/openai-compatible/1.0', 'opencode'],
    ['Cline/3.1', 'Cline'],
    ['Zed/0.200.0', 'Zed'],
    ['aider/0.86 litellm/1.7', 'Aider'],
    ['OpenAI/JS 6.49.0', 'OpenAI SDK'],
    ['AsyncOpenAI/Python 2.0', 'OpenAI SDK'],
    ['Anthropic/JS 1.14.0', 'Anthropic SDK'],
    ['google-genai-sdk/2.32.0 gl-node/v24', 'Google GenAI SDK'],
    ['curl/8.5.0', 'curl'],
    ['my-tool/1.0 (x)', 'my-tool'],
    ['', null],
  ])('%s is %s', (agent, name) => { // SPEC 12.1
    expect(clientFacts({ 'user-agent': agent }).name).toBe(name);
  });

  it('are Codex by originator, too', () => { // SPEC 6.3
    expect(clientFacts({ 'user-agent': 'reqwest', originator: 'codex_vscode' })).toMatchObject({ name: 'Codex', codex: true });
  });

  it('that send a key for their name are not named', () => { // SPEC 12.5
    expect(clientFacts({ 'user-agent': 'sk-ant-api03-c4n4ryS3cretValue' }).name).toBe('[masked]');
  });

  it('tell their session by the first header that they send', () => { // SPEC 9.5
    expect(clientFacts({ 'session-id': 'b', session_id: 'a', 'x-opencode-session': 'c' }).sessionId).toBe('a');
    expect(clientFacts({ 'x-claude-code-session-id': 'z', session_id: 'a' }).sessionId).toBe('z');
    expect(clientFacts({ session_id: ' ' }).sessionId).toBeNull();
  });

  it.each([['2', 2], ['0', 0], ['x', null], ['-1', null], [undefined, null]])('count their retries: %s is %s', (text, count) => { // SPEC 12.1
    expect(clientFacts(text === undefined ? {} : { 'x-stainless-retry-count': text }).retry).toBe(count);
  });
});

describe('ids', () => {
  it('are UUIDs of version 7, in the order of time', () => { // SPEC 12.1
    const draws = [0, 0.999_999_999, 0.5, 0.25, 0.75];
    let at = 0;
    const random = { draw: () => draws[at++ % draws.length] ?? 0 };
    const ids = [1, 1_000, 1_796_000_000_000, 1_796_000_000_001].map((utcMs) => uuidV7(utcMs, random));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...ids].sort()).toEqual(ids);
    expect(ids[2]?.slice(0, 13)).toBe('01a229f1-2800');
  });
});
