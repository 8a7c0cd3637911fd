/** The index a key leads to from `index` (-1: nowhere yet) among `count` rows of which `page` are in sight; null for other keys. */
export function stepTo(key: string, index: number, count: number, page: number): number | null {
  const within = (wanted: number) => Math.max(0, Math.min(count - 1, wanted));
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown': return within(index + 1);
    case 'ArrowUp': return within(index - 1);
    case 'PageDown': return within(index + page);
    case 'PageUp': return within(index - page);
    case 'Home': return 0;
    case 'End': return count - 1;
    default: return null;
  }
}
