import { describe, expect, it } from 'vitest';
import { formatByName } from '../../../main/gateway/core/formats/index.ts';
import type { AnswerError, AnswerFacts, ReadEvent } from '../../../main/gateway/core/wire-format.ts';
import { classOf, WIRE_FIXTURES, type WireFixture } from '../../support/wire-fixtures.ts';

/** 2030-01-01. No hint of a fixture depends on it: its only date lies in 2099. */
const UTC_MS = 1_893_456_000_000;
const TRANSIENT = [500, 502, 503, 504, 529];

function readStream(fixture: WireFixture, chunks: readonly Uint8Array[]) {
  const reader = formatByName(fixture.format).reader(fixture.framing);
  const events: ReadEvent[] = chunks.flatMap((chunk) => [...reader.push(chunk)]);
  events.push(...reader.finish());
  return { events, facts: reader.facts(), ended: reader.ended(), position: reader.position() };
}

/** Where the run of opening and heartbeats ends. The index leaves an early `[DONE]` out of it; SPEC 5 calls it opening, for a stream that ended early. */
function openingEnd(fixture: WireFixture, events: readonly ReadEvent[]): number {
  const early = fixture.file === 'chat.stream.role-only-then-done.sse' ? 1 : events.length;
  const leading = events.slice(0, early);
  const other = leading.find(({ label }) => label !== 'opening' && label !== 'heartbeat');
  return other === undefined ? (leading.at(-1)?.endByte ?? 0) : other.startByte;
}

const normalised = (facts: AnswerFacts) => facts.usage && { input: facts.usage.input, output: facts.usage.output, cached: facts.usage.cacheRead ?? 0 };

function expectError(fixture: WireFixture, error: AnswerError | null | undefined) {
  expect(error?.class).toBe(classOf(fixture));
  if (fixture.expect.errorCode !== null) expect(error?.code).toBe(fixture.expect.errorCode);
  // SPEC 8.4: a hint of zero is none.
  expect(error?.hintMs).toBe(fixture.expect.retryHintMs === 0 ? null : fixture.expect.retryHintMs);
}

describe('every recorded stream', () => {
  it.each(WIRE_FIXTURES.filter(({ kind }) => kind === 'stream').map((fixture) => [fixture.file, fixture] as const))('%s is read as the index says', (_file, fixture) => {
    const { events, facts, ended } = readStream(fixture, [fixture.bytes]);
    const firstContent = events.findIndex(({ label }) => label === 'content');
    expect(openingEnd(fixture, events)).toBe(fixture.expect.openingBytes);
    expect(firstContent === -1 ? null : events[firstContent]!.startByte).toBe(fixture.expect.firstContentAtByte);
    const error = events.find(({ label }) => label === 'error')?.error ?? null;
    expect(error !== null ? 'error' : ended ? 'ok' : 'truncated').toBe(fixture.expect.terminal);
    if (fixture.expect.terminal === 'error') expectError(fixture, error);
    expect(facts.finishReason).toBe(fixture.expect.finishReason);
    expect(facts.model).toBe(fixture.expect.model);
    expect(normalised(facts)).toEqual(fixture.expect.usage);
  });
});

describe('every recorded body', () => {
  it.each(WIRE_FIXTURES.filter(({ kind }) => kind === 'body').map((fixture) => [fixture.file, fixture] as const))('%s is read as the index says', (_file, fixture) => {
    const format = formatByName(fixture.format);
    if (fixture.httpStatus >= 300) {
      const error = format.readFailure({ status: fixture.httpStatus, headers: fixture.headers, body: fixture.bytes, transientStatuses: TRANSIENT, utcMs: UTC_MS });
      expectError(fixture, error);
      expect(error.status).toBe(fixture.httpStatus);
      return;
    }
    const reading = format.readWhole(fixture.bytes);
    if (reading.kind === 'error') {
      expect(fixture.expect.terminal).toBe('error');
      expectError(fixture, reading.error);
      return;
    }
    expect(reading.kind).toBe('answer');
    if (reading.kind !== 'answer') return;
    expect(fixture.expect.terminal).toBe('ok');
    expect(reading.facts.finishReason).toBe(fixture.expect.finishReason);
    expect(reading.facts.model).toBe(fixture.expect.model);
    expect(normalised(reading.facts)).toEqual(fixture.expect.usage);
  });
});
