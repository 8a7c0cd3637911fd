import fc from 'fast-check';
import { formatByName } from '../../main/gateway/core/formats/index.ts';
import type { Framing, ReadEvent, StreamReader } from '../../main/gateway/core/wire-format.ts';
import type { FormatName } from '../../shared/format.ts';

/** The bytes in pieces, cut at these offsets (any order, any size: they wrap around). */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): readonly Uint8Array[] {
  const sorted = [...new Set(offsets.map((offset) => offset % (bytes.length + 1)))].sort((a, b) => a - b);
  const edges = [0, ...sorted, bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

/** Every byte a chunk of its own. */
export function byteByByte(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
}

/** Where to cut: mostly a few places, sometimes many. */
export const anyCuts = fc.oneof(fc.array(fc.nat(100_000), { maxLength: 3 }), fc.array(fc.nat(100_000), { maxLength: 60 }));

/** All that a reader says of these chunks, in a form that can be compared. */
export function saidOf(format: FormatName, framing: Framing, chunks: readonly Uint8Array[]) {
  const reader: StreamReader = formatByName(format).reader(framing);
  const events: ReadEvent[] = [];
  for (const chunk of chunks) events.push(...reader.push(chunk));
  events.push(...reader.finish());
  return { events, facts: reader.facts(), position: reader.position(), ended: reader.ended() };
}
