import { useCallback, useRef, useState, type RefCallback, type UIEvent } from 'react';
import { flushSync } from 'react-dom';

/** Which rows of equal height a scrolling element shows. */
export interface RowsInSight {
  /** Goes to the scrolling element. */
  readonly ref: RefCallback<HTMLElement>;
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
  /** The first row to draw and the one after the last, some out of sight at both ends with them. */
  readonly from: number;
  readonly to: number;
  /** Rows that fit, at least 1. */
  readonly page: number;
  readonly element: () => HTMLElement | null;
  /** Scrolls by the least that brings a row into sight. */
  readonly reveal: (index: number) => void;
  /** Moves what is in sight by whole rows, without a trace, for rows that came or went above. */
  readonly shift: (rows: number) => void;
}

/** Rows drawn out of sight at each end. */
export const SPARE_ROWS = 10;

/** Follows the scrolling over `count` rows of `rowHeight` px below a head of `headHeight` px that stays in place. Draws again only when other rows are needed. */
export function useRowsInSight(count: number, rowHeight: number, headHeight: number): RowsInSight {
  const box = useRef<HTMLElement | null>(null);
  const [sight, setSight] = useState({ first: 0, page: 20 });
  const look = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    const first = Math.floor(element.scrollTop / rowHeight);
    const page = Math.max(1, Math.floor((element.clientHeight - headHeight) / rowHeight));
    // A few rows at a time: within the spare ones nothing has to be drawn.
    const step = Math.floor(first / 4) * 4;
    setSight((now) => (now.first === step && now.page === page ? now : { first: step, page }));
  }, [rowHeight, headHeight]);
  const ref = useCallback((element: HTMLElement | null) => {
    box.current = element;
    if (element === null) return;
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => { observer.disconnect(); box.current = null; };
  }, [look]);
  const reveal = useCallback((index: number) => {
    const element = box.current;
    if (element === null) return;
    const top = index * rowHeight;
    const room = element.clientHeight - headHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + room) element.scrollTop = top + rowHeight - room;
    look();
  }, [rowHeight, headHeight, look]);
  const shift = useCallback((rows: number) => {
    if (box.current === null) return;
    box.current.scrollTop += rows * rowHeight;
    look();
  }, [rowHeight, look]);
  return {
    ref, reveal, shift,
    // Drawn before the next picture: rows must not come a frame after their place.
    onScroll: useCallback(() => { flushSync(look); }, [look]),
    from: Math.max(0, Math.min(sight.first, count) - SPARE_ROWS), to: Math.min(count, sight.first + sight.page + 5 + SPARE_ROWS), page: sight.page,
    element: useCallback(() => box.current, []),
  };
}
