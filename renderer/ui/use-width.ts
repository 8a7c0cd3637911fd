import { useCallback, useState, type RefCallback } from 'react';

/** Width in whole pixels of the element that gets the ref; `before` until it has been measured. */
export function useWidth(before: number): readonly [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(before);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => {
      const measured = Math.floor(entry?.contentRect.width ?? 0);
      if (measured > 0) setWidth(measured);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
