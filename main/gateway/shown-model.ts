import { maskSecrets } from '../../shared/mask.ts';

// No key is that short, and most names are: they cost no search.
const LONGEST_UNSEARCHED = 20;

/** The name of a model as it is written down and shown: who pastes a key in its place, or answers with one, does not find it in the log (SPEC 12.5). */
export function shownModel<T extends string | null>(name: T): T | string {
  return name === null || name.length <= LONGEST_UNSEARCHED ? name : maskSecrets(name);
}
