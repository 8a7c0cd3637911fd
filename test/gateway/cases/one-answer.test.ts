import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import { answersWith, wordsOf } from '../../support/answers/index.ts';
import type { Script } from '../../support/scripted-upstream.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { OTHER_CONTENT } from './support/events.ts';
import { ask, goodStream, skipPauses, streams } from './support/talk.ts';

describe('R10: one answer has one opening (SPEC 6.1, 7.7)', () => {
  it.each(FORMAT_NAMES)('%s: of an opening that breaks nothing is seen, whichever upstream answers then', async (format) => {
    const opening = wordsOf[format].opening('first').join('');
    for (const end of ['reset', 'fin'] as const) {
      const gateway = await startWholeGateway({ upstreams: ['a', 'b'] });
      gateway.upstream('a').script(streams(opening, end));
      gateway.upstream('b').script(answersWith('Hello there'));
      expect(await (await ask(gateway, format, true)).text()).toBe(goodStream(format, 'Hello there'));
      expect((await gateway.ended())[0]).toMatchObject({ failovers: 1, retries: 0, model_served: 'm-1', detail: { attempts: [{ where: 'opening', class: 'transient' }, {}] } });
    }
  });
});

describe('R11: after anything that a user could see nothing is sent again (SPEC 7.8)', () => {
  it.each(OTHER_CONTENT)('%s, %s', async (_what, format, bytes) => {
    const gateway = await startWholeGateway({ upstreams: ['a', 'b'] });
    const overload = wordsOf[format].overload();
    for (const script of [streams(bytes + overload), inTwo(bytes, overload)]) {
      gateway.upstream('a').script(script);
      expect(await (await ask(gateway, format, true)).text()).toBe(bytes + overload);
    }
    for (const row of await gateway.ended(2)) expect(row).toMatchObject({ outcome: 'truncated', attempts: 1, give_up: 'content_sent', error_code: wordsOf[format].overloadCode });
    expect(gateway.upstream('b').calls).toHaveLength(0);
  });
});

describe('R12: a whole answer that breaks and the one that follows are never joined (SPEC 4.5, 5.7)', () => {
  const broken: readonly (readonly [string, Script])[] = [
    ['with a length, reset', async (call) => {
      await call.head(200, { 'content-type': 'application/json', 'content-length': '400' });
      await call.write('{"id":"first","type":"message",');
      call.reset();
    }],
    ['with a length, closed', async (call) => {
      await call.head(200, { 'content-type': 'application/json', 'content-length': '400' });
      await call.write('{"id":"first","type":"message",');
      call.fin();
    }],
    ['in chunks, closed', async (call) => {
      await call.head(200, { 'content-type': 'application/json' });
      await call.write('{"id":"first","type":"message",');
      call.fin();
    }],
    ['in chunks, ended properly in the middle', async (call) => {
      await call.head(200, { 'content-type': 'application/json' });
      await call.end();
    }],
  ];
  it.each(broken)('%s', async (_how, script) => {
    const gateway = await startWholeGateway();
    skipPauses(gateway);
    for (const [turn, format] of FORMAT_NAMES.entries()) {
      gateway.upstream().script(script, answersWith('Hello there'));
      const answer = await ask(gateway, format, false);
      expect([answer.status, await answer.json()]).toEqual([200, wordsOf[format].whole('m-1', 'Hello there')]);
      expect((await gateway.ended(turn + 1))[turn]).toMatchObject({ attempts: 2, retries: 1, outcome: 'success' });
    }
  });
});

/** The overload comes in a read of its own, after the content has been passed on. */
function inTwo(bytes: string, overload: string): Script {
  return async (call) => {
    await call.head(200, { 'content-type': 'text/event-stream' });
    await call.write(bytes);
    for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => { setImmediate(resolve); });
    await call.write(overload);
    await call.end();
  };
}
