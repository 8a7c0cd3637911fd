import { GOALS, type Medians, type Sides } from './goals.ts';
import { median } from './measure.ts';
import type { Run } from './suite.ts';
import type { WorkName } from './works.ts';

/** Who is measured against, not judged. */
const COMPARATORS = ['direct', 'minimal', 'http-proxy'];

/** The runs as markdown: a table of medians for each work, then the goals. */
export function report(runs: readonly Run[]): string {
  const works = unique(runs.map((run) => run.work));
  return [...works.map((work) => table(runs, work)), goals(runs, works)].join('\n\n');
}

/** One run on one line, for those who wait. */
export function lineOf({ target, work, repetition, findings }: Run): string {
  if (findings === null) return `${repetition} ${work} ${target}: failed`;
  const { timeUs, perSec, cpuUsEach, cores, broken } = findings;
  return `${repetition} ${work} ${target}: p50 ${ms(timeUs.p50 ?? NaN)} p90 ${ms(timeUs.p90 ?? NaN)} ms, ${perSec.toFixed(0)}/s, ${number(cpuUsEach ?? NaN)} us each, cores ${number(cores.gateway ?? NaN)}+${number(cores.mock ?? NaN)}+${number(cores.client)}${broken > 0 ? `, ${broken} BROKEN` : ''}`;
}

function table(runs: readonly Run[], work: WorkName): string {
  const names = targetsOf(runs, work);
  const minimal = mediansOf(runs, work, 'minimal');
  const rows = names.flatMap((name) => {
    const own = mediansOf(runs, work, name);
    if (own === null) return [];
    const cells = [ms(own.p50), ms(own.p90), ms(own.p99), number(own.perSec), number(own.cpuUsEach), number(own.cores), number(own.addedMib), String(own.broken)];
    return [`| ${name} | ${cells.join(' | ')} | ${number(own.p50 / (minimal?.p50 ?? NaN))} | ${number(own.cpuUsEach / (minimal?.cpuUsEach ?? NaN))} |`];
  });
  return [`### ${work}`, '', '| target | p50 ms | p90 ms | p99 ms | per s | CPU us each | cores | MiB added | broken | p50 ratio | CPU ratio |', `|${' --- |'.repeat(11)}`, ...rows].join('\n');
}

function goals(runs: readonly Run[], works: readonly WorkName[]): string {
  const rows = works.flatMap((work) => targetsOf(runs, work).filter((name) => !COMPARATORS.includes(name)).flatMap((name) => {
    const sides = sidesOf(runs, work, name);
    return sides === null ? [] : GOALS[work](sides).map(({ goal, found, met }) => `| ${work} | ${name} | ${goal} | ${found} | ${met === null ? '?' : met ? 'yes' : '**no**'} |`);
  }));
  return ['### Goals', '', '| work | target | goal | found | met |', `|${' --- |'.repeat(5)}`, ...rows].join('\n');
}

function sidesOf(runs: readonly Run[], work: WorkName, name: string): Sides | null {
  const own = mediansOf(runs, work, name);
  return own === null ? null : { own, direct: mediansOf(runs, work, 'direct'), minimal: mediansOf(runs, work, 'minimal'), httpProxy: mediansOf(runs, work, 'http-proxy') };
}

function mediansOf(runs: readonly Run[], work: WorkName, target: string): Medians | null {
  const found = runs.filter((run) => run.work === work && run.target === target).flatMap(({ findings }) => (findings === null ? [] : [findings]));
  if (found.length === 0) return null;
  const of = (read: (findings: (typeof found)[number]) => number | null): number => median(found.map((findings) => read(findings) ?? NaN));
  return {
    p50: of(({ timeUs }) => timeUs.p50), p90: of(({ timeUs }) => timeUs.p90), p99: of(({ timeUs }) => timeUs.p99),
    perSec: of(({ perSec }) => perSec), cpuUsEach: of(({ cpuUsEach }) => cpuUsEach), cores: of(({ cores }) => cores.gateway),
    addedMib: of(({ addedMib }) => addedMib),
    broken: Math.max(...found.map(({ broken }) => broken)),
  };
}

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];
const targetsOf = (runs: readonly Run[], work: WorkName): readonly string[] => unique(runs.filter((run) => run.work === work).map((run) => run.target));
const ms = (us: number): string => (Number.isFinite(us) ? (us / 1_000).toFixed(3) : '');
const number = (value: number): string => (!Number.isFinite(value) ? '' : Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));
