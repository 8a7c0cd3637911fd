import type { Log } from '../gateway/ports.ts';
import type { WriterCalls } from './protocol.ts';
import { endWorker, type WorkerCalls } from './worker-calls.ts';

export interface WriterThreadParts {
  readonly log: Log;
  /** Starts a thread that has not opened anything yet. */
  start(): WorkerCalls<WriterCalls>;
  /** Opens the database in it as before; rejects with the reason when it cannot. */
  open(writer: WorkerCalls<WriterCalls>): Promise<void>;
}

/** The calls of the writer, whichever thread answers them. */
export interface WriterThread extends Pick<WorkerCalls<WriterCalls>, 'call'> { end(): Promise<void> }

/** The writer thread with the database open in it. One that has ended by itself is started again with the next call, which waits for it. */
export function keepWriter(first: WorkerCalls<WriterCalls>, { log, start, open }: WriterThreadParts): WriterThread {
  let writer = first;
  let starting: Promise<void> | null = null;

  const startAgain = async (): Promise<void> => {
    const next = start();
    try {
      await open(next);
    } catch (error) {
      await next.terminate();
      throw error;
    }
    writer = next;
    log.info("the store's writer had ended and runs again");
  };

  return {
    call: async (name, argument) => {
      if (!writer.alive()) {
        starting ??= startAgain().finally(() => { starting = null; });
        await starting;
      }
      return writer.call(name, argument);
    },
    end: async () => {
      await starting?.catch(() => undefined);
      await endWorker(writer);
    },
  };
}

/** Opens the database in a thread that takes the place of another. Rejects with the reason when it cannot. */
export async function openAgain(writer: Pick<WorkerCalls<WriterCalls>, 'call'>, argument: WriterCalls['open']['argument']): Promise<void> {
  const answer = await writer.call('open', argument);
  if (answer.kind !== 'open') throw new Error(`the database cannot be opened again: ${'reason' in answer ? answer.reason : answer.kind}`);
}
