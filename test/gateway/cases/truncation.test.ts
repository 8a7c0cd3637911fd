import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import type { FormatName } from '../../../shared/format.ts';
import { answersWith, wordsOf } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { bare, EMPTY_ANSWERS, HALF_CALLS } from './support/events.ts';
import { ask, begunStream, breakerOf, errorIn, errorOfBody, eventsOf, goodStream, skipPauses, streams } from './support/talk.ts';

const SERVER_ERRORS: Readonly<Record<FormatName, string>> = { anthropic: 'api_error', chat: 'server_error', responses: 'server_error', gemini: 'INTERNAL' };
// In a stream Responses has a code and no type.
const serverError = (format: FormatName): unknown => (format === 'responses' ? expect.stringMatching(/^stream_(broken|ended_early)$/) : SERVER_ERRORS[format]);
const ENDS = ['well', 'fin', 'reset'] as const;

describe('R13: a cut answer is never passed off as a whole one (SPEC 10.3)', () => {
  it.each(FORMAT_NAMES.flatMap((format) => ENDS.map((end) => [format, end] as const)))('%s, ended %s without an end mark', async (format, end) => {
    const gateway = await startWholeGateway();
    const begun = begunStream(format);
    gateway.upstream().script(streams(begun, end));
    const text = await (await ask(gateway, format, true)).text();
    expect(text.startsWith(begun)).toBe(true);
    const added = eventsOf(text.slice(begun.length));
    expect(added.map((event) => errorIn(format, event))).toEqual([serverError(format)]);
    expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed|finish_reason":"|finishReason/);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'truncated', attempts: 1, status: 200, give_up: 'content_sent', detail: { attempts: [{ class: 'transient', where: 'after_content' }] } });
  });
});

describe('R14: a stream that fails after content is no success for anybody (SPEC 9.4)', () => {
  it.each([
    ['in-stream error', (format: FormatName) => streams(begunStream(format) + wordsOf[format].overload())],
    ['cut', (format: FormatName) => streams(begunStream(format), 'reset')],
  ] as const)('%s: after three of them the other upstream is asked', async (_what, failing) => {
    for (const format of FORMAT_NAMES) {
      const gateway = await startWholeGateway({ upstreams: ['a', 'b'], settings: { 'gateway.metrics': true } });
      gateway.upstream('a').otherwise(failing(format));
      gateway.upstream('b').otherwise(answersWith('Hello there'));
      for (let turn = 0; turn < 5; turn++) await (await ask(gateway, format, true)).text();
      const rows = await gateway.ended(5);
      expect(rows.map((row) => [row.outcome, row.upstream])).toEqual([...Array.from({ length: 3 }, () => ['truncated', 'A']), ['success', 'B'], ['success', 'B']]);
      expect([await breakerOf(gateway, 'A'), await breakerOf(gateway, 'B')]).toEqual([2, 0]);
    }
  });
});

describe('R15: a stream without an answer is none (SPEC 4.5)', () => {
  const nothings = (format: FormatName) => [['no byte', ''], ['comments', ': ping\n\n: ping\n\n'], ['the opening', wordsOf[format].opening('m-1').join('')]] as const;
  it.each(FORMAT_NAMES.flatMap((format) => nothings(format).map(([what, bytes]) => [format, what, bytes] as const)))('%s: %s and a clean end is tried again', async (format, _what, bytes) => {
    const gateway = await startWholeGateway();
    skipPauses(gateway);
    gateway.upstream().script(streams(bytes), streams(bytes, 'fin'), answersWith('Hello there'));
    expect(await (await ask(gateway, format, true)).text()).toBe(goodStream(format, 'Hello there'));
    expect((await gateway.ended())[0]).toMatchObject({ retries: 2, detail: { attempts: [{ class: 'transient' }, { class: 'transient' }, {}] } });
  });
  // The last attempt is not held any more: its head may be out when the end comes (SPEC 6.1, 6.2).
  it.each(FORMAT_NAMES)('%s: one that never gets better is a 502, or an error event when the head of the last attempt is out', async (format) => {
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 5 } });
    skipPauses(gateway);
    for (const [turn, [what, bytes]] of nothings(format).entries()) {
      gateway.upstream().otherwise(streams(bytes));
      const answer = await ask(gateway, format, true);
      const text = await answer.text();
      if (answer.status === 502) expect([what, errorOfBody(format, JSON.parse(text))]).toEqual([what, SERVER_ERRORS[format]]);
      else expect([what, answer.status, errorIn(format, eventsOf(text).at(-1) ?? { name: '', data: '{}' })]).toEqual([what, 200, serverError(format)]);
      expect((await gateway.ended(turn + 1))[turn]).toMatchObject({ outcome: 'failed', retries: 2 });
    }
  });
  it.each(FORMAT_NAMES)('%s: one that never gets better after an early head is an error event', async (format) => {
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 20 } });
    const end = Promise.withResolvers<undefined>();
    gateway.upstream().script(async (call) => {
      await call.head(200, { 'content-type': 'text/event-stream' });
      await end.promise;
      await call.end();
    });
    const response = ask(gateway, format, true);
    await gateway.upstream().call(0);
    // Gemini clients get the head alone (SPEC 6.3).
    await gateway.clock.whenWaits((waits) => waits.includes(15_000));
    await gateway.clock.advance(15_000);
    await gateway.clock.advance(4_000);
    end.resolve(undefined);
    const events = eventsOf(await (await response).text());
    expect(events.map((event) => errorIn(format, event))).toEqual([serverError(format)]);
    expect((await gateway.ended())[0]).toMatchObject({ status: 200, outcome: 'failed' });
  });
  it.each(FORMAT_NAMES)('%s: a complete answer without content is an answer', async (format) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(streams(EMPTY_ANSWERS[format]));
    expect(await (await ask(gateway, format, true)).text()).toBe(EMPTY_ANSWERS[format]);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'success', attempts: 1 });
  });
});

describe('R16: half a tool call is never finished for the upstream (SPEC 10.3)', () => {
  it.each(Object.entries(HALF_CALLS).flatMap(([format, bytes]) => ENDS.map((end) => [format as FormatName, end, bytes] as const)))('%s, ended %s', async (format, end, bytes) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(streams(bytes, end));
    const text = await (await ask(gateway, format, true)).text();
    const added = eventsOf(text.slice(bytes.length));
    expect(text.startsWith(bytes)).toBe(true);
    expect(added.map((event) => errorIn(format, event))).toEqual([serverError(format)]);
    expect(text).not.toMatch(/arguments\.done|output_item\.done|response\.completed|content_block_stop|message_stop|tool_calls"?,?"finish|\[DONE\]/);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'truncated', attempts: 1 });
  });
});

describe('R22: an error of the gateway does not stick to half an event of the upstream (SPEC 5.6, 10.3)', () => {
  it.each(FORMAT_NAMES.flatMap((format) => (['fin', 'reset'] as const).map((end) => [format, end] as const)))('%s, %s in the middle of an event', async (format, end) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(streams(begunStream(format) + bare({ type: 'content_block_delta', choices: [{ delta: { content: 'x' } }] }).slice(0, -20), end));
    const events = eventsOf(await (await ask(gateway, format, true)).text());
    const errors = events.map((event) => errorIn(format, event)).filter((error) => error !== null);
    expect(errors).toEqual([serverError(format)]);
    expect(events.length).toBe(eventsOf(begunStream(format)).length + 1);
  });
});
