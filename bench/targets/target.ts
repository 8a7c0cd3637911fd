/** Something that is measured: an address, and the process whose CPU and memory count. */
export interface Target {
  readonly name: string;
  readonly url: string;
  /** Null for the mock upstream itself. */
  readonly pid: number | null;
  stop(): Promise<void>;
}

/** The gateway key of the measured product. */
export const KEY = 'hf-bench';
