import { Worker } from 'node:worker_threads';
import type { AnswerMessage, Calls } from './protocol.ts';

// A caller that does not wait for answers must not fill the memory.
const MOST_CALLS_WAITING = 1_000;

// Batches of rows are garbage as soon as they are written. Left to itself the engine gives a busy thread more and more room for them, and the
// memory of the app grows for hours though nothing is kept.
const YOUNG_MIB = 16;

/** The async face of a worker thread. */
export interface WorkerCalls<T extends Calls<T>> {
  /** Rejects when the worker's handler threw, the worker is gone, or too many calls wait. */
  call<K extends keyof T & string>(name: K, argument: T[K]['argument']): Promise<T[K]['answer']>;
  alive(): boolean;
  /** Ends the thread, whatever it does. */
  terminate(): Promise<void>;
}

/** Which thread: the source it is made of, and the file the build makes of it. */
export type WorkerName = 'writer' | 'reader';

/** Starts a worker thread of the store. `onGone` is told when it ends by itself in a fault. */
export function startWorker<T extends Calls<T>>(name: WorkerName, dataDir: string, onGone: (reason: string) => void): WorkerCalls<T> {
  const worker = new Worker(workerFile(name), { name: `store ${name}`, workerData: { dataDir }, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB } });
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let gone: string | null = null;

  const end = (reason: string): void => {
    if (gone !== null) return;
    gone = reason;
    for (const call of waiting.values()) call.reject(new Error(reason));
    waiting.clear();
  };
  worker.on('message', (message: AnswerMessage) => {
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.ok) call?.resolve(message.answer as never);
    else call?.reject(new Error(message.reason));
  });
  worker.on('error', (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    end(`the store's ${name} has failed: ${reason}`);
    onGone(reason);
  });
  worker.on('exit', () => { end(`the store's ${name} has ended`); });

  return {
    call: (call, argument) => new Promise((resolve, reject) => {
      if (gone !== null) return void reject(new Error(gone));
      if (waiting.size >= MOST_CALLS_WAITING) return void reject(new Error(`the store's ${name} has too much to do`));
      const id = ++lastId;
      // First the post: an argument that cannot be sent throws here and leaves nothing behind.
      worker.postMessage({ id, name: call, argument });
      waiting.set(id, { resolve, reject });
    }),
    alive: () => gone === null,
    terminate: async () => { await worker.terminate(); },
  };
}

/** Lets a thread close what it has open, and ends it. */
export async function endWorker(worker: { call(name: 'close', argument: null): Promise<null>; terminate(): Promise<void> }): Promise<void> {
  // A thread that has failed is gone already.
  await worker.call('close', null).catch(() => null);
  await worker.terminate();
}

// Run from source, the threads are TypeScript beside this file; in the build, files beside the one this code has come into. The address
// is put together at run time, so that the bundler does not take it for an asset.
function workerFile(name: WorkerName): URL {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? `./${name}/worker.ts` : `./store-${name}.js`, here);
}
