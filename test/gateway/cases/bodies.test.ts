import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import type { FormatName } from '../../../shared/format.ts';
import { answersWith, failsWith, wordsOf } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { goodStream, pathOf, says, skipPauses, streams } from './support/talk.ts';

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('R37: large prompts are sent whole, and sent again whole (SPEC 1.6)', () => {
  it('25 MB of images, twice', async () => {
    const gateway = await startWholeGateway();
    skipPauses(gateway);
    gateway.upstream().script(failsWith(503), answersWith('Hello'));
    const body = Buffer.from(JSON.stringify({ model: 'm-1', messages: [{ role: 'user', content: Array.from({ length: 5 }, (_, n) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${String(n).repeat(5_000_000)}` } })) }] }));
    const answer = await fetch(`${gateway.url}${pathOf('chat', false)}`, { method: 'POST', body: new Uint8Array(body), headers: { 'content-type': 'application/json', authorization: 'Bearer hf-test' } });
    expect(answer.status).toBe(200);
    const calls = await Promise.all(gateway.upstream().calls.map((call) => call.body));
    expect(calls.map(sha)).toEqual([sha(body), sha(body)]);
    expect((await gateway.ended())[0]).toMatchObject({ request_bytes: body.byteLength, retries: 1 });
  });
});

describe('R38: a model under another name changes one string of the request and nothing of the answer (SPEC 1.6)', () => {
  const routes = [{ id: 'r', pattern: 'm-alias', strategy: 'priority' as const, policy: null, candidates: [{ upstream: 'a', model: 'real-model' }] }];
  const text = 'the string "model":"real-model" is an example, "model":"m-alias" is another';
  const request = (format: FormatName, streamed: boolean): string => (format === 'gemini'
    ? `{ "contents":[{"parts":[{"text":${JSON.stringify(text)}}]}] }`
    : `{ "note" : ${JSON.stringify(text)}, "model" :"m-alias", "stream":${streamed},  "tools":[{"model":"m-alias"}] }`);
  it.each(FORMAT_NAMES.flatMap((format) => [true, false].map((streamed) => [format, streamed] as const)))('%s (streamed: %s)', async (format, streamed) => {
    const gateway = await startWholeGateway({ routes });
    const answer = streamed ? goodStream(format, text).replaceAll('m-1', 'real-model') : JSON.stringify(wordsOf[format].whole('real-model', text));
    gateway.upstream().script(streamed ? streams(answer) : says(200, answer));
    const body = request(format, streamed);
    const got = await gateway.post(pathOf(format, streamed).replace('m-1', 'm-alias'), null, { body });
    expect(await got.text()).toBe(answer);
    const call = await gateway.upstream().call(0);
    expect(call.target).toBe(pathOf(format, streamed).replace('m-1', 'real-model'));
    expect((await call.body).toString()).toBe(body.replace('"model" :"m-alias"', '"model" :"real-model"'));
    expect((await gateway.ended())[0]).toMatchObject({ model_asked: 'm-alias', model_served: 'real-model', outcome: 'success', detail: { attempts: [{ model: 'real-model' }] } });
  });
});
