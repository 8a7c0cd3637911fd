import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefCallback } from 'react';
import { movedTo, targetIndex } from './order.ts';

/** A list that can be put in order by dragging a handle, or with the arrow keys on it. */
export interface Reorder {
  /** As it stands now, also in the middle of a drag. */
  readonly order: readonly string[];
  readonly dragging: string | null;
  /** What was moved by key last, for the ears. */
  readonly moved: string | null;
  readonly itemRef: (id: string) => RefCallback<HTMLElement>;
  readonly handle: (id: string) => {
    readonly ref: RefCallback<HTMLButtonElement>;
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

/** Puts `ids` in order; `commit` hears a new order once it is meant. */
export function useReorder(ids: readonly string[], commit: (ids: readonly string[]) => void): Reorder {
  const [drag, setDrag] = useState<{ readonly id: string; readonly order: readonly string[] } | null>(null);
  const [moved, setMoved] = useState<string | null>(null);
  const items = useRef(new Map<string, HTMLElement>()); // Cleared by the refs themselves.
  const handles = useRef(new Map<string, HTMLButtonElement>()); // Cleared by the refs themselves.
  const order = drag === null ? ids : drag.order.filter((id) => ids.includes(id));

  // A moved element loses the focus when it is taken out and put back.
  useLayoutEffect(() => { if (moved !== null && document.activeElement === document.body) handles.current.get(moved)?.focus(); }, [ids, moved]);

  const id = drag?.id ?? null;
  const latest = useRef(order);
  useLayoutEffect(() => { latest.current = order; });
  useEffect(() => {
    if (id === null) return;
    const follow = (event: globalThis.PointerEvent) => {
      const middles = latest.current.filter((one) => one !== id).map((one) => middleOf(items.current.get(one)));
      setDrag({ id, order: movedTo(latest.current, id, targetIndex(middles, event.clientY)) });
    };
    const drop = () => { setDrag(null); commit(latest.current); };
    const cancel = () => setDrag(null);
    const onKey = (event: globalThis.KeyboardEvent) => { if (event.key === 'Escape') { event.stopPropagation(); cancel(); } };
    window.addEventListener('pointermove', follow);
    window.addEventListener('pointerup', drop);
    window.addEventListener('pointercancel', cancel);
    window.addEventListener('keydown', onKey, true);
    return () => {
      window.removeEventListener('pointermove', follow);
      window.removeEventListener('pointerup', drop);
      window.removeEventListener('pointercancel', cancel);
      window.removeEventListener('keydown', onKey, true);
    };
  }, [id, commit]);

  const keyed = useCallback((event: KeyboardEvent, which: string) => {
    const place = ids.indexOf(which);
    const target = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: ids.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    if (target < 0 || target >= ids.length || target === place) return;
    setMoved(which);
    commit(movedTo(ids, which, target));
  }, [ids, commit]);

  return {
    order, dragging: id, moved,
    itemRef: (one) => (element) => { if (element === null) items.current.delete(one); else items.current.set(one, element); },
    handle: (one) => ({
      ref: (element) => { if (element === null) handles.current.delete(one); else handles.current.set(one, element); },
      onPointerDown: (event) => { if (event.button === 0) { event.preventDefault(); setDrag({ id: one, order: ids }); } },
      onKeyDown: (event) => keyed(event, one),
    }),
  };
}

function middleOf(element: HTMLElement | undefined): number {
  const box = element?.getBoundingClientRect();
  return box === undefined ? 0 : box.top + box.height / 2;
}
