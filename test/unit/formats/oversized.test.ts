import { describe, expect, it } from 'vitest';
import { formatByName } from '../../../main/gateway/core/formats/index.ts';
import { MAX_EVENT_BYTES, type Framing } from '../../../main/gateway/core/wire-format.ts';
import type { FormatName } from '../../../shared/format.ts';
import { cutAt } from '../../support/cuts.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const CHUNK_BYTES = 16_384;

function inChunks(bytes: Uint8Array, chunkBytes = CHUNK_BYTES): readonly Uint8Array[] {
  return cutAt(bytes, Array.from({ length: Math.floor(bytes.length / chunkBytes) }, (_, index) => (index + 1) * chunkBytes));
}
function read(format: FormatName, chunks: readonly Uint8Array[], framing: Framing = 'sse') {
  const reader = formatByName(format).reader(framing);
  const events = chunks.flatMap((chunk) => [...reader.push(chunk)]);
  return { events: [...events, ...reader.finish()], facts: reader.facts(), ended: reader.ended() };
}
/** A text that would mislead anybody who looks for names or ends without knowing where texts are. */
const image = (bytes: number) => String.raw`\"}]},\n\ndata: {\"error\":{\"code\":503}}\u0041\\`.repeat(Math.ceil(bytes / 40));

// SPEC 5.5
describe('an event over 1 MiB', () => {
  it('is content, and one of exactly 1 MiB is not', () => {
    const event = (bytes: number) => {
      const frame = 'data: {"choices":[{"delta":{"x":""}}]}\n\n';
      return bytesOf(frame.replace('""', `"${'a'.repeat(bytes - frame.length)}"`));
    };
    expect(event(MAX_EVENT_BYTES).length).toBe(MAX_EVENT_BYTES);
    for (const chunks of [(bytes: Uint8Array) => [bytes], inChunks]) {
      expect(read('chat', chunks(event(MAX_EVENT_BYTES))).events.map(({ label }) => label)).toEqual(['opening']);
      expect(read('chat', chunks(event(MAX_EVENT_BYTES + 1))).events.map(({ label }) => label)).toEqual(['content']);
    }
  });

  it('says that it is one while it is still open, at the byte after 1 MiB', () => {
    const reader = formatByName('chat').reader('sse');
    reader.push(bytesOf('data: {}\n\n'));
    reader.push(bytesOf(`data: ${'x'.repeat(MAX_EVENT_BYTES - 6)}`));
    expect([reader.oversized(), reader.pendingBytes()]).toEqual([false, MAX_EVENT_BYTES]);
    reader.push(bytesOf('x'));
    expect([reader.oversized(), reader.pendingBytes()]).toEqual([true, MAX_EVENT_BYTES + 1]);
    expect(reader.push(bytesOf('\n\ndata: {}\n\n')).map(({ label, startByte }) => [label, startByte])).toEqual([['content', 10], ['content', 10 + MAX_EVENT_BYTES + 3]]);
    expect([reader.oversized(), reader.pendingBytes()]).toEqual([false, 0]);
  });

  it('still ends an answer and tells its facts: an image of Gemini with its finish reason', () => {
    const chunk = `{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"${image(3_000_000)}"}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":1290},"modelVersion":"m"}`;
    const expected = { ended: true, facts: { model: 'm', finishReason: 'STOP', usage: { input: 8, output: 1_290 } } };
    for (const chunks of [[bytesOf(`data: ${chunk}\r\n\r\n`)], inChunks(bytesOf(`data: ${chunk}\r\n\r\n`)), inChunks(bytesOf(`data: ${chunk}`), 997)]) {
      const said = read('gemini', chunks);
      expect(said).toMatchObject(expected);
      expect(said.events.map(({ label, terminal }) => [label, terminal])).toEqual([['content', true]]);
    }
    expect(read('gemini', inChunks(bytesOf(`[${chunk}\n]`)), 'json_array')).toMatchObject(expected);
  });

  it('still ends an answer and tells its facts: response.completed with an image in its output', () => {
    const event = `event: response.completed\ndata: {"type":"response.completed","sequence_number":9,"response":{"id":"r","object":"response","status":"completed","error":null,"model":"m","output":[{"type":"image_generation_call","result":"${image(2_000_000)}"}],"usage":{"input_tokens":20,"output_tokens":6}}}\n\n`;
    const said = read('responses', inChunks(bytesOf(event)));
    expect(said).toMatchObject({ ended: true, facts: { model: 'm', finishReason: 'completed', usage: { input: 20, output: 6 } } });
    expect(said.events.map(({ label, terminal }) => [label, terminal])).toEqual([['content', true]]);
  });

  it('is content also when it is an error: no end of an answer, but nothing of ours may follow it', () => {
    const said = read('chat', inChunks(bytesOf(`data: {"error":{"code":"server_error","message":"${image(1_500_000)}"}}\n\n`)));
    expect(said.events.map(({ label, error, terminal }) => [label, error, terminal])).toEqual([['content', null, true]]);
    expect(said.ended).toBe(false);
  });

  it('is nothing when the stream ends inside it, and garbage of any length is only counted', () => {
    const reader = formatByName('anthropic').reader('sse');
    for (let times = 0; times < 512; times += 1) expect(reader.push(new Uint8Array(CHUNK_BYTES).fill(0x78))).toEqual([]);
    expect(reader.pendingBytes()).toBe(512 * CHUNK_BYTES);
    expect(reader.oversized()).toBe(true);
  });

  // Quadratic work would take minutes here, not the seconds that the runner allows.
  it('of 32 MB in chunks of 16 KB is read in linear time', () => {
    const line = new Uint8Array(32_000_000).fill(0x61);
    line.set(bytesOf('event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"'));
    line.set(bytesOf('"}}\n\n'), line.length - 5);
    const said = read('anthropic', inChunks(line));
    expect(said.events.map(({ label, endByte }) => [label, endByte])).toEqual([['content', line.length]]);
  });

  it('in pieces of one byte each is read in linear time, too', () => {
    const reader = formatByName('anthropic').reader('sse');
    const byte = bytesOf('x');
    for (let at = 0; at < 1_200_000; at += 1) reader.push(byte);
    expect(reader.oversized()).toBe(true);
  });
});
