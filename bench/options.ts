import { parseArgs } from 'node:util';
import { WORKS, type WorkName } from './works.ts';

/** Who is measured. `direct` is the mock upstream itself: what the harness costs. */
export const TARGETS = ['direct', 'minimal', 'http-proxy', 'product', 'electron'] as const;
export type TargetName = (typeof TARGETS)[number];

/** The wire format that is sent and answered. */
export type BenchFormat = 'anthropic' | 'chat';

export interface BenchOptions {
  readonly works: readonly WorkName[];
  readonly targets: readonly TargetName[];
  /** Other builds of the program without a window, measured as `product`'s siblings: name and path of `headless.js`. */
  readonly programs: readonly { readonly name: string; readonly file: string }[];
  readonly repetitions: number;
  /** Nothing begins after this. */
  readonly minutes: number;
  readonly format: BenchFormat;
  /** Where every run is noted, one JSON line each; null: nowhere. */
  readonly out: string | null;
}

export const USAGE = `npm run bench -- [options]
  --quick                one repetition of a few works, two minutes at most
  --works A,B            ${Object.keys(WORKS).join(' ')}
  --targets A,B          ${TARGETS.join(' ')} (default: all but electron)
  --program NAME=FILE    another build's headless.js beside the others; may be repeated
  --repetitions N        default 3, at most 20
  --minutes N            default 20, at most 120: nothing begins after that
  --format NAME          anthropic or chat (default)
  --out FILE             notes every run there, one JSON line each
`;

const QUICK_WORKS: readonly WorkName[] = ['whole-1', 'whole-64', 'first-event', 'streams-100'];

/** Reads the command line; a text is what is wrong with it, null asks for help. */
export function readOptions(args: readonly string[]): BenchOptions | string | null {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false }, help: { type: 'boolean', default: false }, works: { type: 'string' }, tests: { type: 'string' },
        targets: { type: 'string' }, program: { type: 'string', multiple: true, default: [] }, repetitions: { type: 'string' },
        minutes: { type: 'string' }, format: { type: 'string', default: 'chat' }, out: { type: 'string' },
      },
    }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (values.help) return null;
  const works = namesIn(values.works ?? values.tests, Object.keys(WORKS) as WorkName[], values.quick ? QUICK_WORKS : (Object.keys(WORKS) as WorkName[]));
  const targets = namesIn(values.targets, TARGETS, TARGETS.filter((name) => name !== 'electron'));
  const repetitions = numberIn(values.repetitions, values.quick ? 1 : 3, 20);
  const minutes = numberIn(values.minutes, values.quick ? 2 : 20, 120);
  const programs = values.program.map((given) => ({ name: given.slice(0, given.indexOf('=')), file: given.slice(given.indexOf('=') + 1) }));
  const { format } = values;
  if (typeof works === 'string') return works;
  if (typeof targets === 'string') return targets;
  if (repetitions === null || minutes === null) return '--repetitions is 1 to 20, --minutes 1 to 120';
  if (format !== 'anthropic' && format !== 'chat') return '--format is anthropic or chat';
  if (programs.some(({ name, file }) => name === '' || file === '')) return '--program is NAME=FILE';
  return { works, targets, programs, repetitions, minutes, format, out: values.out ?? null };
}

function namesIn<Name extends string>(given: string | undefined, known: readonly Name[], usual: readonly Name[]): readonly Name[] | string {
  if (given === undefined) return usual;
  const wrong = given.split(',').find((name) => !known.includes(name as Name));
  return wrong === undefined ? known.filter((name) => given.split(',').includes(name)) : `there is no "${wrong}"; there are ${known.join(', ')}`;
}

function numberIn(given: string | undefined, usual: number, most: number): number | null {
  const value = given === undefined ? usual : Number(given);
  return value > 0 && value <= most ? value : null;
}
