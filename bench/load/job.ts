import type { BenchFormat } from '../options.ts';
import type { Work } from '../works.ts';

/** What one run of the load client is told, as JSON on its command line. */
export interface Job {
  readonly work: Work;
  readonly url: string;
  readonly format: BenchFormat;
  /** Null: nobody's CPU and memory is looked at. */
  readonly pid: number | null;
  readonly mockPid: number;
  /** Memory of the target when it had just started, MiB; NaN (null in JSON) when unknown. */
  readonly idleMib: number | null;
}

/** What it found, as JSON on its stdout. Times in microseconds, memory in MiB; numbers that could not be measured are null. */
export interface Findings {
  /** Of a request or a first event, or how long an event was on its way. */
  readonly timeUs: { readonly p50: number | null; readonly p90: number | null; readonly p99: number | null };
  /** Requests or events, and how many of them in a second. */
  readonly count: number;
  readonly perSec: number;
  /** Requests that failed, streams that came incomplete. */
  readonly broken: number;
  readonly cpuUsEach: number | null;
  /** Cores in use. */
  readonly cores: { readonly gateway: number | null; readonly mock: number | null; readonly client: number };
  /** What was added to the memory of a target that had done nothing yet. */
  readonly addedMib: number | null;
}
