// Copy as curl: the request again, without the key and with its body only when all of it is known (UI.md, detail drawer).
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlOf, KEY_PLACEHOLDER } from '../../../shared/curl.ts';
import type { KeptContents } from '../../../shared/contents.ts';

const URL = 'http://127.0.0.1:4653';
const row = { path: '/v1/messages', format: 'anthropic', streamed: true } as const;
const contents: KeptContents = {
  method: 'POST', answerHeaders: null, answer: null,
  requestHeaders: [['Host', 'localhost:4653'], ['content-type', 'application/json'], ['x-api-key', '[masked]'], ['Authorization', 'Bearer [masked]'], ['x-note', 'token [masked]'], ['content-length', '41'], ['anthropic-version', '2023-06-01'], ['user-agent', "it's me"]],
  request: { bytes: 41, cut: false, text: `{"model":"m","content":"it's \$HOME \`id\` \\\\"}` },
};

/** What a shell makes of a command: its words, with `curl` taken out of harm's way. */
function words(command: string): readonly string[] {
  return execFileSync('/bin/sh', ['-c', `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`], { env: { HOLDFAST_KEY: 'hf-mine', HOME: '/home/ada' } }).toString().split('\0').slice(0, -1);
}

describe('copy as curl', () => {
  it('is a command that a shell reads as it is meant, whatever the body holds', () => {
    expect(words(curlOf(row, contents, URL))).toEqual([
      '-N', 'http://127.0.0.1:4653/v1/messages', '-H', 'x-api-key: hf-mine', '-H', 'content-type: application/json', '-H', 'anthropic-version: 2023-06-01', '-H', "user-agent: it's me", '--data-raw', contents.request?.text,
    ]);
  });

  it.each([['anthropic', 'x-api-key: '], ['gemini', 'x-goog-api-key: '], ['chat', 'authorization: Bearer '], ['responses', 'authorization: Bearer ']] as const)('puts the placeholder where clients of %s put their key', (format, before) => {
    const command = curlOf({ ...row, format }, contents, URL);
    expect(command).toContain(`-H "${before}${KEY_PLACEHOLDER}"`);
    expect(command).not.toContain('[masked]');
  });

  it.each([
    ['cut off', { bytes: 500_000, cut: true, text: '{"model"' }], ['not text', { bytes: 9, cut: false, text: null }], ['not kept', null],
  ] as const)('leaves out a body that is %s, and says the method then', (_, request) => {
    const given = words(curlOf({ ...row, streamed: false }, { ...contents, request }, URL));
    expect(given.slice(0, 3)).toEqual(['http://127.0.0.1:4653/v1/messages', '-X', 'POST']);
    expect(given.join(' ')).not.toContain('--data');
  });

  it('takes a key out of the address, keeps the rest of it, and does without anything kept', () => {
    expect(words(curlOf({ ...row, format: 'gemini', path: "/v1beta/models/g:streamGenerateContent?key=[masked]&alt=sse'" }, null, URL))).toEqual([
      '-N', "http://127.0.0.1:4653/v1beta/models/g:streamGenerateContent?alt=sse'", '-X', 'POST', '-H', 'x-goog-api-key: hf-mine', '-H', 'content-type: application/json',
    ]);
    expect(words(curlOf({ ...row, path: '/v1/files' }, { ...contents, method: 'GET', request: null }, URL))).not.toContain('-X');
  });

  it('asks for one address alone, as it was, whatever stands in it', () => {
    expect(words(curlOf({ ...row, path: '/v1/messages?a={b,c}[1-9]&key=x&d=e?f=g' }, contents, URL)).slice(0, 3)).toEqual(['-N', '-g', 'http://127.0.0.1:4653/v1/messages?a={b,c}[1-9]&d=e?f=g']);
  });
});
