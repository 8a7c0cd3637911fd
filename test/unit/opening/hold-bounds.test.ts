import { describe, expect, it } from 'vitest';
import { createHold } from '../../../main/gateway/core/opening/hold.ts';
import type { Hold } from '../../../main/gateway/core/opening/hold.ts';
import { MAX_EVENT_BYTES } from '../../../main/gateway/core/wire-format.ts';
import type { AnswerError, ReadEvent, StreamReader } from '../../../main/gateway/core/wire-format.ts';

/** A reader that says what the test tells it, chunk by chunk. */
function readerSaying(...chunks: readonly (readonly ReadEvent[])[]): StreamReader {
  const left = [...chunks];
  return {
    push: () => left.shift() ?? [], finish: () => left.shift() ?? [], oversized: () => false, ended: () => false, pendingBytes: () => 0,
    facts: () => ({ model: null, usage: null, finishReason: null }), position: () => ({ events: 0, sequence: null, responseId: null, model: null }),
  };
}

const overload: AnswerError = { class: 'transient', code: 'overloaded_error', type: null, message: '', status: 529, hintMs: null };
const event = (label: ReadEvent['label'], startByte: number, endByte: number): ReadEvent => ({ label, startByte, endByte, error: label === 'error' ? overload : null, terminal: false });
const bytes = (count: number) => new Uint8Array(count);

describe('bounds of the hold', () => {
  // SPEC 5.5, 6.1: past the cap it is released; whether for its size or for its length is told by the event alone.
  it.each([
    ['an opening of many events', 100, MAX_EVENT_BYTES + 100, 'cap'],
    ['one event of just more than 1 MiB', 100, MAX_EVENT_BYTES + 101, 'oversized'],
  ] as const)('%s is released as such', (_what, startByte, endByte, because) => {
    const hold = createHold(readerSaying([event('opening', startByte, endByte)]), 1_000);
    expect(hold.feed(bytes(endByte))).toMatchObject({ kind: 'open', because });
  });

  it('after an error exactly 64 KiB are kept, and not a byte of a chunk that goes beyond', () => {
    const kept = (more: number): number => {
      const hold = createHold(readerSaying([event('opening', 0, 10), event('error', 10, 20)], [event('heartbeat', 20, 20 + more)]));
      hold.feed(bytes(20));
      const verdict = hold.feed(bytes(more));
      return verdict.kind === 'error' ? verdict.kept.length : -1;
    };
    expect(kept(65_536 - 10)).toBe(65_546);
    expect(kept(65_536 - 9)).toBe(20);
  });

  it('an error at the end of the stream is one, with what was ahead of it', () => {
    const hold = createHold(readerSaying([event('opening', 0, 10)], [event('error', 10, 30)]));
    hold.feed(bytes(30));
    expect(hold.finish()).toMatchObject({ kind: 'error', error: overload, opening: { length: 10 }, kept: { length: 30 } });
  });
});

describe('a hold that is over', () => {
  const ways: readonly (readonly [string, (hold: Hold) => unknown])[] = [['fed', (hold) => hold.feed(bytes(1))], ['finished', (hold) => hold.finish()], ['let go', (hold) => hold.letGo()]];
  const ends: readonly (readonly [string, () => Hold])[] = [
    ['opened by content', () => { const hold = createHold(readerSaying([event('content', 0, 5)])); hold.feed(bytes(5)); return hold; }],
    ['let go', () => { const hold = createHold(readerSaying([])); hold.letGo(); return hold; }],
    ['ended early', () => { const hold = createHold(readerSaying([])); hold.finish(); return hold; }],
  ];
  it.each(ends.flatMap(([end, make]) => ways.map(([way, use]) => ({ end, way, make, use }))))('($end) is not $way again', ({ make, use }) => {
    expect(() => use(make())).toThrow('this hold is over');
  });
});
