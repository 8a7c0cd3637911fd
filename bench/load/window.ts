import { cpuSecs, median, nowUs, residentMib } from '../measure.ts';
import type { Findings, Job } from './job.ts';

/** The time in which something is measured. */
export interface Window {
  open(): void;
  close(): void;
  isOpen(): boolean;
  /** What happened in it, for a number of requests or events; the window must be closed. */
  findings(count: number, broken: number, timeUs: Findings['timeUs']): Findings;
}

const LOOK_EVERY_MS = 200;

/** Watches CPU and memory of the gateway and CPU of the others. */
export function createWindow({ pid, mockPid, idleMib }: Job): Window {
  const gateway = (read: (of: number) => number): number => (pid === null ? NaN : read(pid));
  const used = () => ({ atUs: nowUs(), gateway: gateway(cpuSecs), mock: cpuSecs(mockPid), client: process.cpuUsage() });
  const seen: number[] = [];
  let from = used();
  let to = from;
  let timer: NodeJS.Timeout | null = null;

  return {
    isOpen: () => timer !== null,
    open: () => {
      from = used();
      timer = setInterval(() => { seen.push(gateway(residentMib)); }, LOOK_EVERY_MS);
    },
    close: () => {
      to = used();
      seen.push(gateway(residentMib));
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
    findings: (count, broken, timeUs) => {
      const secs = (to.atUs - from.atUs) / 1e6;
      const gatewaySecs = to.gateway - from.gateway;
      const clientSecs = (to.client.user + to.client.system - from.client.user - from.client.system) / 1e6;
      return {
        timeUs, count, broken,
        perSec: count / secs,
        cpuUsEach: (gatewaySecs / count) * 1e6,
        cores: { gateway: gatewaySecs / secs, mock: (to.mock - from.mock) / secs, client: clientSecs / secs },
        addedMib: median(seen) - (idleMib ?? NaN),
      };
    },
  };
}
