/** The list with `id` at `index` (0 to the last place; beyond is the nearest end). */
export function movedTo(ids: readonly string[], id: string, index: number): readonly string[] {
  const others = ids.filter((one) => one !== id);
  return others.toSpliced(Math.max(0, Math.min(index, others.length)), 0, id);
}

/** Where something held at `y` belongs among others with these middles (pixels from the top, downwards): behind all whose middle it has passed. */
export function targetIndex(middles: readonly number[], y: number): number {
  return middles.filter((middle) => middle < y).length;
}
