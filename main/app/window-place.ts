/** A rectangle in screen points. */
export interface Box { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
/** Size and place of the window; without a place the system chooses one. */
export interface Place { readonly width: number; readonly height: number; readonly x?: number; readonly y?: number }

/** The smallest window that shows everything (UI.md), in screen points. */
export const MIN_SIZE = { width: 900, height: 600 };
const FIRST_SIZE = { width: 1200, height: 800 };
// Enough of the title bar to take hold of.
const GRIP = { width: 120, height: 32 };

/**
 * Where to open the window: as it was, unless no screen of today shows enough of its title bar to move it.
 * `screens` are the work areas, the main one first.
 */
export function placeWindow(last: Box | null, screens: readonly Box[]): Place {
  const main = screens[0] ?? { x: 0, y: 0, ...FIRST_SIZE };
  if (last === null) return fit(FIRST_SIZE, main);
  const screen = screens.find((area) => shows(area, last));
  if (screen === undefined) return fit(last, main);
  return { ...fit(last, screen), x: last.x, y: last.y };
}

function fit(size: { readonly width: number; readonly height: number }, screen: Box): Place {
  return {
    width: Math.max(MIN_SIZE.width, Math.min(size.width, screen.width)),
    height: Math.max(MIN_SIZE.height, Math.min(size.height, screen.height)),
  };
}

function shows(screen: Box, window: Box): boolean {
  const left = Math.max(screen.x, window.x);
  const right = Math.min(screen.x + screen.width, window.x + window.width);
  const top = window.y;
  return right - left >= GRIP.width && top >= screen.y && top + GRIP.height <= screen.y + screen.height;
}
