import type { Database } from 'better-sqlite3';
import type { Plan } from './plan.ts';
import { timeAfter, type Direction, type Span } from './walk.ts';

// A newer query waits for the end of a slice (DESIGN 6: at most 20 ms); the time of one slice tells how large the next may be.
const AIM_MS = 8;
const SMALLEST = 200;
const LARGEST = 200_000;

/** Pieces of a span, the first beside its beginning, each small enough to be read within some milliseconds. The consumer reads a piece before it asks for the next. */
export function* slicesOf(db: Database, plan: Plan, span: Span, direction: Direction, firstEntries: number, now: () => number): Generator<{ readonly piece: Span; readonly left: Span | null }, void> {
  let entries = Math.ceil(firstEntries / plan.values);
  let left: Span | null = span.lowest > span.highest ? null : span;
  if (left === null) yield { piece: span, left };
  while (left !== null) {
    const beganMs = now();
    const edge = timeAfter(db, plan.walks, entries, left, direction);
    const { piece, beyond } = cut(left, edge, direction);
    left = beyond;
    yield { piece, left };
    const tookMs = Math.max(now() - beganMs, 0.01);
    entries = Math.ceil(Math.min(Math.max(entries * Math.min(Math.max(AIM_MS / tookMs, 0.5), 4), SMALLEST), LARGEST));
  }
}

// Everything of one time is in one piece, so that a piece needs no more than times for its ends.
function cut({ lowest, highest }: Span, edge: number | null, direction: Direction): { piece: Span; beyond: Span | null } {
  if (edge === null) return { piece: { lowest, highest }, beyond: null };
  if (direction === 'older') return { piece: { lowest: edge, highest }, beyond: edge > lowest ? { lowest, highest: edge - 1 } : null };
  return { piece: { lowest, highest: edge }, beyond: edge < highest ? { lowest: edge + 1, highest } : null };
}
