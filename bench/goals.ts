import type { WorkName } from './works.ts';

/** The medians of one target in one work; NaN where nothing was measured. Times in microseconds, memory in MiB. */
export interface Medians {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly perSec: number;
  readonly cpuUsEach: number;
  readonly cores: number;
  readonly addedMib: number;
  /** The worst of all repetitions, not the middle. */
  readonly broken: number;
}

/** What a target is held against. */
export interface Sides {
  readonly own: Medians;
  readonly direct: Medians | null;
  readonly minimal: Medians | null;
  readonly httpProxy: Medians | null;
}

/** One goal looked at: met, missed, or null when what it is held against was not measured. */
export interface Verdict {
  readonly goal: string;
  readonly found: string;
  readonly met: boolean | null;
}

const ratio = (own: number, other: number | undefined): number => own / (other ?? NaN);
const times = (value: number): string => (Number.isFinite(value) ? `${value.toFixed(2)} x` : 'unknown');
const verdict = (goal: string, value: number, found: string, met: boolean): Verdict => ({ goal, found, met: Number.isFinite(value) ? met : null });

/** `value` at most `most` times that of minimal. */
const within = (what: string, value: number, most: number): Verdict => verdict(`${what} at most ${most} x minimal`, value, times(value), value <= most);
/** As `within`, or no more than so much above it. */
const withinOr = (what: string, value: number, most: number, overUs: number, allowedUs: number): Verdict =>
  verdict(`${what} at most ${most} x minimal or +${allowedUs / 1_000} ms`, value, `${times(value)}, ${overUs >= 0 ? '+' : ''}${(overUs / 1_000).toFixed(3)} ms`, value <= most || overUs <= allowedUs);

/** The goals of each work. */
export const GOALS: Readonly<Record<WorkName, (sides: Sides) => readonly Verdict[]>> = {
  'whole-1': ({ own, direct, minimal }) => {
    const base = direct?.p50 ?? NaN;
    const added = ratio(own.p50 - base, (minimal?.p50 ?? NaN) - base);
    return [withinOr('added p50', added, 1.5, own.p50 - (minimal?.p50 ?? NaN), 300), within('p99', ratio(own.p99, minimal?.p99), 2)];
  },
  'whole-64': ({ own, minimal, httpProxy }) => {
    const throughput = ratio(own.perSec, httpProxy?.perSec);
    return [within('CPU per request', ratio(own.cpuUsEach, minimal?.cpuUsEach), 2.5), verdict('throughput at least 0.75 x http-proxy', throughput, times(throughput), throughput >= 0.75)];
  },
  'first-event': ({ own, minimal }) => [within('p50', ratio(own.p50, minimal?.p50), 1.4)],
  'first-event-800k': ({ own, minimal }) => [within('p50', ratio(own.p50, minimal?.p50), 2)],
  'streams-100': delayGoals,
  'streams-500': delayGoals,
  'streams-1000': ({ own, minimal }) => [
    verdict('none broken', own.broken, `${own.broken} broken`, own.broken === 0),
    verdict('under 0.95 core', own.cores, `${own.cores.toFixed(2)} core`, own.cores < 0.95),
    within('CPU per event', ratio(own.cpuUsEach, minimal?.cpuUsEach), 1.5),
    within('memory added', ratio(own.addedMib, minimal?.addedMib), 2),
  ],
  'whole-16-800k': ({ own, minimal }) => {
    const throughput = ratio(own.perSec, minimal?.perSec);
    return [verdict('throughput at least 0.5 x minimal', throughput, times(throughput), throughput >= 0.5)];
  },
};

function delayGoals({ own, minimal }: Sides): readonly Verdict[] {
  return [
    withinOr('delay p50', ratio(own.p50, minimal?.p50), 1.3, own.p50 - (minimal?.p50 ?? NaN), 100),
    withinOr('delay p90', ratio(own.p90, minimal?.p90), 1.3, own.p90 - (minimal?.p90 ?? NaN), 100),
  ];
}
