import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Clearable } from '../../../shared/contents.ts';
import type { LogStatus } from '../../../shared/log-status.ts';
import { bridge } from '../../bridge.ts';
import { keyOf } from '../../data/query.ts';
import { useLogStatus } from '../../requests/use-log.ts';

/** The log as it lies on the disk, and a way to clear it. */
export interface LogUpkeep {
  /** Undefined until main has told. */
  readonly status: LogStatus | undefined;
  /** What is being cleared now; null while nothing is. */
  readonly clearing: Clearable | null;
  /** Resolves when it is gone; rejects when main could not take all of it away. */
  readonly clear: (what: Clearable) => Promise<void>;
}

export function useLogUpkeep(): LogUpkeep {
  const cache = useQueryClient();
  const status = useLogStatus();
  const [clearing, setClearing] = useState<Clearable | null>(null);
  // Its event tells of losses, not of every row: the size is of the last time somebody asked.
  useEffect(() => { void cache.invalidateQueries({ queryKey: keyOf('log.status') }); }, [cache]);
  const clear = async (what: Clearable): Promise<void> => {
    setClearing(what);
    try {
      await bridge().request['logs.clear']({ what });
    } finally {
      setClearing(null);
      void cache.invalidateQueries({ queryKey: keyOf('log.status') });
      void cache.invalidateQueries({ queryKey: keyOf('requests.contents') });
    }
  };
  return { status, clearing, clear };
}
