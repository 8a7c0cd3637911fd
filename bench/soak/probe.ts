// Loaded into the gateway's process ahead of it (`--import`, `--expose-gc`): tells what the process holds whenever its parent asks.
import { readdirSync } from 'node:fs';

/** What a process holds. */
export interface Held {
  readonly sockets: number;
  readonly listeners: number;
  readonly timers: number;
  /** Files, sockets and pipes of the system; null where it does not tell. */
  readonly descriptors: number | null;
  /** In use after garbage was collected. */
  readonly heapMiB: number;
  readonly buffersMiB: number;
  readonly rssMiB: number;
  /** Warnings of Node so far: too many listeners on one thing among them. */
  readonly warnings: number;
}

let warnings = 0;
process.on('warning', (warning) => { if (warning.name !== 'ExperimentalWarning') warnings++; });
process.on('message', () => { process.send?.(held()); });
// The wait for questions alone keeps no process alive.
process.channel?.unref();

function held(): Held {
  const collect = (globalThis as { gc?: () => void }).gc;
  collect?.();
  collect?.();
  const kinds = process.getActiveResourcesInfo();
  const count = (kind: string): number => kinds.filter((one) => one === kind).length;
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  const mib = (bytes: number): number => bytes / 1_048_576;
  return { sockets: count('TCPSocketWrap'), listeners: count('TCPServerWrap'), timers: count('Timeout'), descriptors: descriptors(), heapMiB: mib(heapUsed), buffersMiB: mib(arrayBuffers), rssMiB: mib(rss), warnings };
}

function descriptors(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}
