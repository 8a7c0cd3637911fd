import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatByName } from '../../../main/gateway/core/formats/index.ts';
import { createHold, type HoldVerdict } from '../../../main/gateway/core/opening/hold.ts';
import { EVENTS, type EventKind } from '../../support/anthropic-events.ts';
import { anyCuts, cutAt } from '../../support/cuts.ts';

// Laws 6 and 7 of DESIGN 8 for the hold of one attempt: what it decides follows from the bytes alone, and released bytes are the received ones, in order, none lost, none twice.
//
// Planted bugs these tests were seen to catch:
//   the first chunk left out of what is held                       an error looked for before content in the same chunk
//   the chunk that decides not put behind what was held            the cap compared with where an event begins, or not looked at between events
//   `complete` ending with the chunk instead of the last event     `end` not opening
//   a heartbeat feeding the idle timer                             the last event that finish() completes left out of `kept`
//   letGo() opening although an error stands                       events ahead of the deciding one told as if they came after it
// Bugs at the exact edges (cap, what is read on behind an error) are caught in test/unit/opening.

interface Piece { readonly kind: EventKind; readonly text: string }
const piece = (kinds: readonly EventKind[]) => fc.constantFrom(...kinds).chain((kind) => fc.constantFrom(...EVENTS[kind]).map((text): Piece => ({ kind, text })));
const anyStream = fc.record({
  opening: fc.array(piece(['heartbeat', 'opening']), { maxLength: 8 }),
  rest: fc.array(piece(['heartbeat', 'opening', 'content', 'end', 'error']), { maxLength: 4 }),
  tail: fc.constantFrom('', 'event: content_bl', 'data: {"type":"content_block_delta","del', 'data: {"type":"message_stop"}'),
});
const caps = fc.constantFrom(1_048_576, 1, 150, 400, 900);

interface Told { readonly kind: EventKind; readonly startByte: number; readonly endByte: number }

/** Where each event ends. `tail` without its empty line is an event only when the stream ends there. */
function layOut(pieces: readonly Piece[], tail: string): { readonly bytes: Uint8Array; readonly told: readonly Told[] } {
  let startByte = 0;
  const told = pieces.map(({ kind, text }) => {
    const endByte = startByte + text.length;
    const event = { kind, startByte, endByte };
    startByte = endByte;
    return event;
  });
  const text = pieces.map((each) => each.text).join('') + tail;
  const atEnd: Told[] = tail === 'data: {"type":"message_stop"}' ? [{ kind: 'end', startByte, endByte: startByte + tail.length }] : [];
  return { bytes: new TextEncoder().encode(text), told: [...told, ...atEnd] };
}

/** What has to become of a stream: decided by the events in order, told by somebody who sees all of it. */
function expected(told: readonly Told[], receivedBytes: number, capBytes: number) {
  for (const { kind, startByte, endByte } of told) {
    if (endByte > capBytes) return { kind: 'open', content: false };
    if (kind === 'content' || kind === 'end') return { kind: 'open', content: true };
    if (kind === 'error') return { kind: 'error', openingBytes: startByte, keptBytes: endByte };
  }
  return receivedBytes > capBytes ? { kind: 'open', content: false } : { kind: 'ended_early' };
}

/** Feeds a hold until it opens, an error stands or the stream has ended. */
function run(chunks: readonly Uint8Array[], capBytes: number) {
  const hold = createHold(formatByName('anthropic').reader('sse'), capBytes);
  const holding: HoldVerdict[] = [];
  let fed = 0;
  for (const chunk of chunks) {
    const verdict = hold.feed(chunk);
    fed += chunk.length;
    if (verdict.kind !== 'holding') return { hold, verdict, fed, holding };
    holding.push(verdict);
  }
  return { hold, verdict: hold.finish(), fed, holding };
}

const joined = (...parts: readonly Uint8Array[]) => Buffer.concat(parts);

describe('the hold of one attempt', () => {
  it('decides by the bytes alone, and releases exactly what it received', () => {
    fc.assert(fc.property(anyStream, anyCuts, caps, ({ opening, rest, tail }, cuts, capBytes) => {
      const { bytes, told } = layOut([...opening, ...rest], tail);
      const { verdict, fed } = run(cutAt(bytes, cuts), capBytes);
      const wanted = expected(told, bytes.length, capBytes);
      expect(verdict.kind).toBe(wanted.kind);
      switch (verdict.kind) {
        case 'open': {
          expect(joined(verdict.complete, verdict.tail).equals(bytes.subarray(0, fed))).toBe(true);
          expect(verdict.because === 'content' || verdict.because === 'end').toBe(wanted.content);
          // Whole events go out, half ones wait: the cut is the end of an event, and the last one there is. A CR or LF of a line end may still be on its way.
          const ends = [0, ...told.map(({ endByte }) => endByte)];
          expect(ends).toContain(verdict.complete.length);
          expect(ends.filter((end) => end > verdict.complete.length && end < fed)).toEqual([]);
          break;
        }
        case 'error':
          expect(verdict.opening.length).toBe(wanted.openingBytes);
          expect(verdict.kept.length).toBeGreaterThanOrEqual(wanted.keptBytes!);
          expect(Buffer.from(verdict.kept).equals(bytes.subarray(0, verdict.kept.length))).toBe(true);
          expect(Buffer.from(verdict.opening).equals(bytes.subarray(0, wanted.openingBytes))).toBe(true);
          break;
        case 'ended_early':
          expect(verdict.receivedBytes).toBe(bytes.length);
          expect(Buffer.from(verdict.kept).equals(bytes.subarray(0, told.at(-1)?.endByte ?? 0))).toBe(true);
          break;
        case 'holding': throw new Error('the stream has ended');
      }
    }), { numRuns: 4_000 });
  });

  it('tells of every event from the one that opened it on, so that an error behind content is not missed', () => {
    fc.assert(fc.property(fc.array(piece(['heartbeat', 'opening']), { maxLength: 4 }), piece(['content', 'end']), fc.array(piece(['content', 'error', 'end']), { maxLength: 3 }), (opening, first, rest) => {
      const { bytes, told } = layOut([...opening, first, ...rest], '');
      const { verdict } = run([bytes], 1_048_576);
      expect(verdict.kind === 'open' && verdict.events.map(({ startByte, endByte }) => [startByte, endByte])).toEqual(told.slice(opening.length).map(({ startByte, endByte }) => [startByte, endByte]));
    }));
  });

  it('lets go of all it holds, and of nothing when an error stands', () => {
    fc.assert(fc.property(fc.array(piece(['heartbeat', 'opening']), { maxLength: 6 }), fc.constantFrom('', 'event: half'), anyCuts, (opening, tail, cuts) => {
      const { bytes, told } = layOut(opening, tail);
      const hold = createHold(formatByName('anthropic').reader('sse'));
      for (const chunk of cutAt(bytes, cuts)) expect(hold.feed(chunk).kind).toBe('holding');
      const verdict = hold.letGo();
      expect(verdict).toMatchObject({ kind: 'open', because: 'let_go', events: [] });
      if (verdict.kind !== 'open') return;
      expect(joined(verdict.complete, verdict.tail).equals(bytes)).toBe(true);
      expect(verdict.complete.length).toBe(told.at(-1)?.endByte ?? 0);
      expect(() => hold.feed(bytes)).toThrow('over');
    }));
  });

  it('feeds the idle timer by every event but heartbeats', () => {
    fc.assert(fc.property(fc.array(piece(['heartbeat', 'opening']), { minLength: 1, maxLength: 6 }), (pieces) => {
      const hold = createHold(formatByName('anthropic').reader('sse'));
      for (const { kind, text } of pieces) expect(hold.feed(new TextEncoder().encode(text))).toEqual({ kind: 'holding', live: kind === 'opening' });
    }));
  });

  it('stands by an error, and keeps what comes whole behind it', () => {
    fc.assert(fc.property(fc.array(piece(['heartbeat', 'opening']), { maxLength: 3 }), piece(['error']), fc.array(piece(['heartbeat', 'opening', 'content', 'end', 'error']), { maxLength: 4 }), anyCuts, (opening, error, rest, cuts) => {
      const { bytes, told } = layOut([...opening, error, ...rest], 'event: half');
      const chunks = cutAt(bytes, cuts);
      const hold = createHold(formatByName('anthropic').reader('sse'));
      const verdicts = chunks.map((chunk) => hold.feed(chunk));
      const stands = verdicts.findIndex(({ kind }) => kind === 'error');
      const errors = verdicts.slice(stands).map((verdict) => (verdict.kind === 'error' ? verdict.error.code : verdict.kind));
      expect(new Set(errors).size).toBe(1);
      expect(hold.letGo().kind).toBe('error');
      const last = hold.finish();
      expect(last.kind === 'error' && Buffer.from(last.kept).equals(bytes.subarray(0, told.at(-1)!.endByte))).toBe(true);
      expect(last.kind === 'error' && last.opening.length).toBe(told[opening.length]!.startByte);
    }));
  });
});
