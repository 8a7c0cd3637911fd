/**
 * The order a removal is remembered in: that of an earlier removal while everything that is there now stands in it the same way,
 * so that two removals can be taken back in any order.
 */
export function rememberedOrder(earlier: readonly string[], now: readonly string[]): readonly string[] {
  let from = 0;
  for (const id of now) {
    const place = earlier.indexOf(id, from);
    if (place < 0) return now;
    from = place + 1;
  }
  return earlier;
}

/** The place of `id` among `present`: behind the nearest of those that stood ahead of it in `order`, else first. */
export function placeAgain(order: readonly string[], id: string, present: readonly string[]): number {
  const ahead = order.slice(0, order.indexOf(id)).findLast((one) => present.includes(one));
  return ahead === undefined ? 0 : present.indexOf(ahead) + 1;
}
