import { MOST_ENTRIES, type DocumentFault } from '../../shared/document.ts';
import { faultOf, pathText } from './fault-words.ts';

const MOST_VALUES = 50_000;
const MOST_LEVELS = 20;
const MOST_SETTINGS = 500;
const MOST_FAULTS = 200;

/**
 * What makes a document too large to be looked at field by field: the depth, the number of values, the length of its lists. Empty when it can
 * be. Goes over each value once, without recursion, and stops at the first that is too much.
 */
export function limitFaults(input: unknown): readonly DocumentFault[] {
  const lists = typeof input === 'object' && input !== null ? input as Readonly<Record<string, unknown>> : {};
  const long = Object.entries(MOST_ENTRIES).flatMap(([list, most]) => (Array.isArray(lists[list]) && lists[list].length > most ? [faultOf(list, 'list_long', { max: most })] : []));
  if (long.length > 0) return long;
  const { settings } = lists;
  if (typeof settings === 'object' && settings !== null && Object.keys(settings).length > MOST_SETTINGS) return [faultOf('settings', 'list_long', { max: MOST_SETTINGS })];
  return walk(input);
}

function walk(input: unknown): readonly DocumentFault[] {
  const waiting: { readonly value: unknown; readonly path: readonly PropertyKey[] }[] = [{ value: input, path: [] }];
  const faults: DocumentFault[] = [];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    if (++seen > MOST_VALUES) return [faultOf('', 'too_many_values', { most: MOST_VALUES })];
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= MOST_LEVELS) return [faultOf(pathText(path.slice(0, 3)), 'too_deep', { most: MOST_LEVELS })];
    const entries: readonly (readonly [PropertyKey, unknown])[] = Array.isArray(value) ? value.map((one, index) => [index, one]) : Object.entries(value);
    // Nothing may come in under this name: the schema would pass over it, and it is the one name that an object treats in its own way.
    if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) faults.push(faultOf(pathText([...path, '__proto__']), 'unknown_field'));
    if (seen + waiting.length + entries.length > MOST_VALUES) return [faultOf('', 'too_many_values', { most: MOST_VALUES })];
    for (const [step, inner] of entries) waiting.push({ value: inner, path: [...path, step] });
  }
  return faults;
}

/** At most 200 faults; of more the last one says how many there are. */
export function shortened(faults: readonly DocumentFault[]): readonly DocumentFault[] {
  return faults.length <= MOST_FAULTS ? faults : [...faults.slice(0, MOST_FAULTS - 1), faultOf('', 'more', { count: faults.length - MOST_FAULTS + 1 })];
}
