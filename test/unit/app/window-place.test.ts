// UI "Shape": size and place are remembered, 900 x 600 is the smallest.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MIN_SIZE, placeWindow, type Box } from '../../../main/app/window-place.ts';

const laptop: Box = { x: 0, y: 25, width: 1440, height: 875 };
const second: Box = { x: 1440, y: 0, width: 1920, height: 1080 };

describe('placing the window', () => {
  it('leaves the place to the system at the first start', () => {
    expect(placeWindow(null, [laptop])).toEqual({ width: 1200, height: 800 });
  });

  it('opens where it was, on the second screen too', () => {
    expect(placeWindow({ x: 1500, y: 40, width: 1000, height: 700 }, [laptop, second])).toEqual({ x: 1500, y: 40, width: 1000, height: 700 });
  });

  it('comes back to the first screen when the second is gone', () => {
    expect(placeWindow({ x: 1500, y: 40, width: 1900, height: 1000 }, [laptop])).toEqual({ width: 1440, height: 875 });
  });

  it.each([
    ['its title bar is above the screen', { x: 100, y: -40, width: 1000, height: 700 }],
    ['only a sliver is left at the right', { x: 1400, y: 100, width: 1000, height: 700 }],
    ['it is below the screen', { x: 100, y: 890, width: 1000, height: 700 }],
  ])('does not open out of reach: %s', (_why, last) => {
    expect(placeWindow(last, [laptop])).not.toHaveProperty('x');
  });

  it('is never smaller than it can show everything in, and its grip is always on a screen', () => {
    const boxes = fc.record({ x: fc.integer({ min: -4000, max: 4000 }), y: fc.integer({ min: -4000, max: 4000 }), width: fc.integer({ min: 1, max: 5000 }), height: fc.integer({ min: 1, max: 5000 }) });
    fc.assert(fc.property(fc.option(boxes), fc.array(boxes, { maxLength: 3 }), (last, screens) => {
      const place = placeWindow(last, screens);
      expect(place.width).toBeGreaterThanOrEqual(MIN_SIZE.width);
      expect(place.height).toBeGreaterThanOrEqual(MIN_SIZE.height);
      if (place.x !== undefined && place.y !== undefined) {
        const { x, y } = place;
        expect(screens.some((screen) => y >= screen.y && y < screen.y + screen.height && x < screen.x + screen.width)).toBe(true);
      }
    }));
  });
});
