// The order of a list that is dragged or moved by key (UI.md, Upstreams: drag to order).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movedTo, targetIndex } from '../../renderer/ui/reorder/order.ts';

describe('moving an entry', () => {
  it.each([['a', 2, 'bca'], ['c', 0, 'cab'], ['b', 1, 'abc'], ['a', 99, 'bca'], ['c', -1, 'cab']] as const)('puts %s to %i', (id, index, order) => {
    expect(movedTo(['a', 'b', 'c'], id, index).join('')).toBe(order);
  });

  it('keeps every entry, and the others in their order', () => {
    fc.assert(fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 }), fc.nat(), fc.integer({ min: -3, max: 12 }), (ids, which, index) => {
      const id = ids[which % ids.length]!;
      const moved = movedTo(ids, id, index);
      expect([...moved].sort()).toEqual([...ids].sort());
      expect(moved.filter((one) => one !== id)).toEqual(ids.filter((one) => one !== id));
    }));
  });

  it('goes behind all whose middle the pointer has passed', () => {
    expect([5, 10, 11, 35, 300].map((y) => targetIndex([10, 30, 50], y))).toEqual([0, 0, 1, 2, 3]);
  });
});
