import { expect, test } from 'vitest';
import { watchContents } from '../../../main/gateway/contents.ts';
import type { Arrival, SeenContents } from '../../../main/gateway/ports.ts';
import { MOST_KEPT_BYTES } from '../../../shared/contents.ts';
import type { Outcome } from '../../../shared/failure.ts';
import type { Settings } from '../../../shared/settings.ts';
import { rowWith } from '../../support/rows.ts';

function watching(bodies: Settings['logs.bodies']) {
  const kept: { readonly id: string; readonly seen: SeenContents; readonly characters: number }[] = [];
  const watch = watchContents({ keep: (id, seen, characters) => { kept.push({ id, seen, characters }); } }, () => bodies);
  const body = Buffer.from('{"model":"m"}');
  const arrival = (id: string, more: Partial<Arrival> = {}): Arrival => ({ id, method: 'POST', bodyBytes: body.length, body: () => [body], ...more }) as Arrival;
  return { kept, watch, arrival, finish: (id: string, outcome: Outcome = 'success') => { watch.finished({ kind: 'finished', id, row: rowWith({ id, outcome }) }); } };
}

// SPEC 12.4
test('without bodies nothing takes any bytes, and the headers are told in one line each', () => {
  const { kept, watch, arrival, finish } = watching('off');
  const sight = watch.begin(arrival('a'), ['Host', 'h', 'X-Empty', '']);
  expect(sight.body).toBeNull();
  sight.head = ['content-type', 'text/plain'];
  finish('a');
  expect(kept).toEqual([{ id: 'a', seen: { method: 'POST', requestHeaders: 'Host\nh\nX-Empty\n\n', answerHeaders: 'content-type\ntext/plain\n', request: null, answer: null }, characters: 40 }]);
});

test('of an exchange that was let go nothing is kept, and of each only once', () => {
  const { kept, watch, arrival, finish } = watching('all');
  watch.begin(arrival('a'), []);
  watch.end('a');
  finish('a');
  watch.begin(arrival('b'), []);
  finish('b');
  finish('b');
  finish('never begun');
  expect(kept.map(({ id }) => id)).toEqual(['b']);
});

test('what is kept is a copy, at most 256 KiB, alone in its memory', () => {
  const { kept, watch, arrival, finish } = watching('errors');
  const large = Buffer.alloc(MOST_KEPT_BYTES + 1, 'r');
  const { body } = watch.begin(arrival('a', { bodyBytes: large.length, body: () => [large] }), []);
  const chunk = Buffer.alloc(100_000, 'x');
  for (let n = 0; n < 3; n++) body?.append(chunk);
  chunk.fill('y');
  finish('a', 'failed');
  const { request, answer } = kept[0]!.seen;
  expect([request?.bytes, request?.kept.byteLength, request?.kept.buffer.byteLength]).toEqual([MOST_KEPT_BYTES + 1, MOST_KEPT_BYTES, MOST_KEPT_BYTES]);
  expect([answer?.bytes, answer?.kept.byteLength, answer?.kept.buffer.byteLength]).toEqual([300_000, MOST_KEPT_BYTES, MOST_KEPT_BYTES]);
  expect(answer?.kept.every((byte) => byte === 0x78)).toBe(true);
  expect(kept[0]!.characters).toBe(2 * MOST_KEPT_BYTES);
});

test.each([['success', false], ['failed', true], ['truncated', true], ['cancelled', true], ['refused', true]] as const)('errors: a %s keeps its bodies: %s', (outcome, keeps) => {
  const { kept, watch, arrival, finish } = watching('errors');
  watch.begin(arrival('a'), []).body?.append(Buffer.from('x'));
  finish('a', outcome);
  expect([kept[0]!.seen.request !== null, kept[0]!.seen.answer !== null]).toEqual([keeps, keeps]);
});
