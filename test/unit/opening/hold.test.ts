import { describe, expect, it } from 'vitest';
import { formatByName } from '../../../main/gateway/core/formats/index.ts';
import { createHold, HOLD_CAP_BYTES, type HoldVerdict } from '../../../main/gateway/core/opening/hold.ts';
import { EVENTS } from '../../support/anthropic-events.ts';
import { classOf, WIRE_FIXTURES } from '../../support/wire-fixtures.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const newHold = (capBytes?: number) => createHold(formatByName('anthropic').reader('sse'), capBytes);
const [start, block] = EVENTS.opening;
const [content] = EVENTS.content;
const [error] = EVENTS.error;

function verdictOf(bytes: Uint8Array, hold = newHold()): HoldVerdict {
  const fed = hold.feed(bytes);
  return fed.kind === 'holding' ? hold.finish() : fed;
}

describe('every recorded stream', () => {
  it.each(WIRE_FIXTURES.filter(({ kind }) => kind === 'stream').map((fixture) => [fixture.file, fixture] as const))('%s opens, fails or ends as the index says', (_file, fixture) => {
    const { firstContentAtByte, terminal, openingBytes } = fixture.expect;
    const verdict = verdictOf(fixture.bytes, createHold(formatByName(fixture.format).reader(fixture.framing)));
    if (firstContentAtByte !== null || terminal === 'ok') {
      expect(verdict).toMatchObject({ kind: 'open', because: firstContentAtByte === null ? 'end' : 'content' });
      if (verdict.kind === 'open') expect(verdict.events[0]?.startByte).toBe(firstContentAtByte ?? openingBytes);
    } else if (terminal === 'error') {
      expect(verdict).toMatchObject({ kind: 'error', error: { class: classOf(fixture) } });
      if (verdict.kind === 'error') expect(verdict.opening.length).toBe(openingBytes);
    } else expect(verdict).toMatchObject({ kind: 'ended_early', receivedBytes: fixture.bytes.length });
  });
});

describe('one network read', () => {
  // SPEC 5.4
  it('with content ahead of an error opens, and tells of the error', () => {
    const verdict = verdictOf(bytesOf(start + content + error));
    expect(verdict).toMatchObject({ kind: 'open', because: 'content', events: [{ label: 'content' }, { label: 'error', error: { class: 'transient' } }] });
  });

  it('with an error ahead of content does not open', () => {
    expect(verdictOf(bytesOf(start + error + content))).toMatchObject({ kind: 'error', error: { code: 'overloaded_error', status: 529 } });
  });

  // SPEC 5.5
  it('with half an event never opens', () => {
    const half = content.slice(0, -1);
    expect(newHold().feed(bytesOf(half))).toEqual({ kind: 'holding', live: false });
    expect(verdictOf(bytesOf(content.slice(0, 80)))).toMatchObject({ kind: 'ended_early' });
  });
});

describe('what a hold gives back', () => {
  it('is the first chunk itself when that opens', () => {
    const chunk = bytesOf(start + content);
    const verdict = newHold().feed(chunk);
    expect(verdict.kind === 'open' && verdict.complete.buffer).toBe(chunk.buffer);
  });

  it('is whole events, then the beginning of the next', () => {
    const hold = newHold();
    hold.feed(bytesOf(start));
    const verdict = hold.feed(bytesOf(`${block}${content}event: cont`));
    expect(verdict.kind === 'open' && textOf(verdict.complete)).toBe(start + block + content);
    expect(verdict.kind === 'open' && textOf(verdict.tail)).toBe('event: cont');
  });

  it('is no view of a chunk that the caller may use again', () => {
    const hold = newHold();
    const chunk = bytesOf(start);
    hold.feed(chunk);
    chunk.fill(0);
    const verdict = hold.letGo();
    expect(verdict.kind === 'open' && textOf(verdict.complete)).toBe(start);
  });

  it('is the opening, the error and the second event of the same failure', () => {
    const fixture = WIRE_FIXTURES.find(({ file }) => file === 'responses.stream.error-then-failed.sse')!;
    const hold = createHold(formatByName('responses').reader('sse'));
    const cut = textOf(fixture.bytes).indexOf('event: response.failed');
    const first = hold.feed(fixture.bytes.subarray(0, cut + 10));
    expect(first.kind === 'error' && first.kept.length).toBe(cut);
    const second = hold.feed(fixture.bytes.subarray(cut + 10));
    expect(second.kind === 'error' && second.kept).toEqual(fixture.bytes);
  });

  it('is also the last event behind an error that lacks its empty line', () => {
    const hold = newHold();
    const last = 'data: {"type":"message_stop"}';
    hold.feed(bytesOf(error + last));
    const verdict = hold.finish();
    expect(verdict.kind === 'error' && textOf(verdict.kept)).toBe(error + last);
  });

  it('stops growing behind an error, at the end of an event', () => {
    const hold = newHold();
    let verdict = hold.feed(bytesOf(error));
    const rest = bytesOf(content.repeat(1_500));
    for (let at = 0; at < rest.length; at += 1_000) verdict = hold.feed(rest.subarray(at, at + 1_000));
    expect(verdict.kind).toBe('error');
    if (verdict.kind !== 'error') return;
    expect(verdict.kept.length).toBeLessThanOrEqual(error.length + 65_536);
    expect((verdict.kept.length - error.length) % content.length).toBe(0);
    expect(verdict.kept.length).toBeGreaterThan(60_000);
  });
});

describe('an empty or closed stream', () => {
  // SPEC 4.5
  it('ended early, and says whether a byte came', () => {
    expect(newHold().finish()).toMatchObject({ kind: 'ended_early', receivedBytes: 0 });
    expect(verdictOf(bytesOf(': one\n\n: two\n\n'))).toMatchObject({ kind: 'ended_early', receivedBytes: 14 });
    expect(verdictOf(bytesOf(start))).toMatchObject({ kind: 'ended_early' });
  });

  it('with an end mark and no content is an answer', () => {
    for (const end of EVENTS.end) expect(verdictOf(bytesOf(start + end))).toMatchObject({ kind: 'open', because: 'end' });
  });

  it('with an end mark that lacks its empty line is an answer', () => {
    expect(verdictOf(bytesOf(`${start}data: {"type":"message_stop"}`))).toMatchObject({ kind: 'open', because: 'end' });
  });
});

describe('the cap', () => {
  // SPEC 6.1
  it('is 1 MiB: the byte after it lets the opening go, and says that it was no content', () => {
    const pad = `: ${'x'.repeat(1_021)}\n\n`;
    expect(pad.length).toBe(1_025);
    const hold = newHold();
    let sent = 0;
    const feed = (text: string) => {
      sent += text.length;
      return hold.feed(bytesOf(text));
    };
    while (sent + pad.length <= HOLD_CAP_BYTES) expect(feed(pad).kind).toBe('holding');
    expect(feed('x'.repeat(HOLD_CAP_BYTES - sent)).kind).toBe('holding');
    const verdict = feed('x');
    expect(verdict).toMatchObject({ kind: 'open', because: 'cap', events: [] });
    expect(verdict.kind === 'open' && verdict.complete.length + verdict.tail.length).toBe(HOLD_CAP_BYTES + 1);
  });

  // SPEC 5.5
  it('is also the size from which a single event is content', () => {
    const hold = newHold();
    const line = `data: {"type":"content_block_start","content_block":{"type":"text","text":"","x":"${'y'.repeat(HOLD_CAP_BYTES)}`;
    expect(hold.feed(bytesOf(line.slice(0, HOLD_CAP_BYTES))).kind).toBe('holding');
    expect(hold.feed(bytesOf(line.slice(HOLD_CAP_BYTES)))).toMatchObject({ kind: 'open', because: 'oversized', events: [] });
    expect(newHold().feed(bytesOf(`${line}"}}\n\n`))).toMatchObject({ kind: 'open', because: 'oversized', events: [{ label: 'content' }] });
  });

  it('does not come before an event that ends right at it', () => {
    expect(newHold(start.length + content.length).feed(bytesOf(start + content))).toMatchObject({ kind: 'open', because: 'content' });
    expect(newHold(error.length).feed(bytesOf(error))).toMatchObject({ kind: 'error' });
    expect(newHold(start.length).feed(bytesOf(start))).toMatchObject({ kind: 'holding' });
  });

  it('comes first for an error that lies behind it, in one chunk as in many', () => {
    const text = `: ${'x'.repeat(200)}\n\n${error}`;
    expect(newHold(100).feed(bytesOf(text))).toMatchObject({ kind: 'open', because: 'cap', events: [{ label: 'heartbeat' }, { label: 'error' }] });
    expect(newHold(210).feed(bytesOf(text))).toMatchObject({ kind: 'open', because: 'cap', events: [{ label: 'error' }] });
  });
});
