import type { Log } from '../gateway/ports.ts';
import type { ReaderCalls } from './protocol.ts';
import { startWorker, type WorkerCalls } from './worker-calls.ts';

/** The reader as calls. A thread that has died fails what it was asked, and the next call starts another; the log is told once, until one answers again. */
export function keepReader(dataDir: string, log: Log, start = startWorker<ReaderCalls>): WorkerCalls<ReaderCalls> {
  let told = false;
  let closing = false;
  const begin = (): WorkerCalls<ReaderCalls> => start('reader', dataDir, (reason) => {
    if (!told) log.error(`the store's reader has failed: the next query starts another`, { reason });
    told = true;
  });
  let reader = begin();

  return {
    call: async (name, argument) => {
      if (name === 'close') closing = true;
      else if (!closing && !reader.alive()) reader = begin();
      const answer = await reader.call(name, argument);
      told = false;
      return answer;
    },
    alive: () => reader.alive(),
    terminate: () => reader.terminate(),
  };
}
