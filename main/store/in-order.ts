/** The items in the order of these ids; those that are not named follow as they were, unknown ids mean nothing. */
export function inOrder<T>(items: readonly T[], ids: readonly string[], idOf: (item: T) => string): readonly T[] {
  const places = new Map([...new Set(ids)].map((id, place) => [id, place]));
  const placeOf = (item: T): number => places.get(idOf(item)) ?? ids.length;
  return [...items].sort((a, b) => placeOf(a) - placeOf(b));
}
