import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Figures, FigureSpan } from '../../shared/figures.ts';
import { bridge } from '../bridge.ts';
import { createRefresher } from './refresher.ts';

/** The figures of a span; those of the span before stay until they are there. Kept current while somebody can see them. */
export function useFigures(span: FigureSpan): UseQueryResult<Figures> {
  const query = useQuery({ queryKey: ['figures.get', span], queryFn: () => bridge().request['figures.get']({ span }), placeholderData: keepPreviousData, staleTime: 0 });
  const { refetch } = query;
  useEffect(() => {
    const refresher = createRefresher({
      now: Date.now,
      after: (waitMs, fire) => {
        const timer = setTimeout(fire, waitMs);
        return () => clearTimeout(timer);
      },
      isSeen: () => document.visibilityState === 'visible',
      ask: () => { void refetch(); },
    });
    document.addEventListener('visibilitychange', refresher.seen);
    const stop = bridge().on['exchanges.events']((events) => { if (events.some((event) => event.kind === 'finished')) refresher.changed(); });
    return () => {
      stop();
      document.removeEventListener('visibilitychange', refresher.seen);
      refresher.stop();
    };
  }, [refetch]);
  return query;
}
