import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 1041px)';

function subscribe(changed: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Whether the window has room for the sidebar's words; the same width stands in `shell/shell.css`. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches);
}
