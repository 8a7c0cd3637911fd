import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Figures, FigureSpan } from '../../shared/figures.ts';
import { bridge } from '../bridge.ts';

/** The figures are asked for at most this often. */
const APART_MS = 2_000;
/** A row is on disk a little after its end was told. */
const WRITTEN_MS = 300;
const MINUTE_MS = 60_000;

/** The figures of a span; those of the span before stay until they are there. Asked anew when requests have ended and when a minute has passed, never while nobody can see them. */
export function useFigures(span: FigureSpan): UseQueryResult<Figures> {
  const query = useQuery({ queryKey: ['figures.get', span], queryFn: () => bridge().request['figures.get']({ span }), placeholderData: keepPreviousData, staleTime: 0 });
  const { refetch } = query;
  useEffect(() => keepCurrent(() => { void refetch(); }), [refetch]);
  return query;
}

/** Calls `ask` for every reason there is to, and not too often; the answer ends it. */
function keepCurrent(ask: () => void): () => void {
  let soon: ReturnType<typeof setTimeout> | undefined;
  let minute: ReturnType<typeof setTimeout> | undefined;
  let asked = Date.now();
  const isSeen = () => document.visibilityState === 'visible';
  const note = () => {
    if (!isSeen()) return;
    soon ??= setTimeout(() => {
      soon = undefined;
      asked = Date.now();
      if (isSeen()) ask();
    }, Math.max(WRITTEN_MS, asked + APART_MS - Date.now()));
  };
  const follow = () => {
    clearTimeout(minute);
    if (isSeen()) minute = setTimeout(() => { note(); follow(); }, MINUTE_MS - (Date.now() % MINUTE_MS));
  };
  const seen = () => { note(); follow(); };
  follow();
  document.addEventListener('visibilitychange', seen);
  const stop = bridge().on['exchanges.events']((events) => { if (events.some((event) => event.kind === 'finished')) note(); });
  return () => {
    stop();
    document.removeEventListener('visibilitychange', seen);
    clearTimeout(soon);
    clearTimeout(minute);
  };
}
