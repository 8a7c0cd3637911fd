import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of the machine's monotonic clock: the same for every process on it. */
export function nowUs(): number {
  const [secs, nanos] = process.hrtime();
  return secs * 1e6 + nanos / 1e3;
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, ms); });

/** CPU seconds that a process has used, all threads; NaN where the system does not tell. */
export function cpuSecs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9, 0);
  } catch {
    return NaN;
  }
}

/** CPU seconds that the main thread of a process has used; NaN where the system does not tell. */
export function mainThreadSecs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return NaN;
  }
}

/** Resident memory of a process, MiB; NaN where the system does not tell. */
export function residentMib(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
  } catch {
    return NaN;
  }
}

/** What lies at a share (0-1) of the sorted values; NaN of none. */
export function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Median, ninth tenth and last hundredth of some times; sorts in place. */
export function spread(valuesUs: number[]): { readonly p50: number; readonly p90: number; readonly p99: number } {
  valuesUs.sort((a, b) => a - b);
  return { p50: at(valuesUs, 0.5), p90: at(valuesUs, 0.9), p99: at(valuesUs, 0.99) };
}

/** The middle value; NaN of none. Values that are none are left out. */
export function median(values: readonly number[]): number {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? at(sorted, 0.5) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}
