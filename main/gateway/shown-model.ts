import { maskSecrets } from '../../shared/mask.ts';

// No key is that short, and most names are: they cost no search.
const LONGEST_UNSEARCHED = 20;
// No model's name is; and every attempt of a row repeats it.
const LONGEST = 256;

/** The name of a model as it is written down and shown, at most 257 characters: who pastes a key in its place, or answers with one, does not find it in the log (SPEC 12.5). */
export function shownModel<T extends string | null>(name: T): T | string {
  if (name === null || name.length <= LONGEST_UNSEARCHED) return name;
  const cut = name.length > LONGEST;
  const masked = maskSecrets(cut ? name.slice(0, LONGEST) : name, [], { cut });
  return cut ? `${masked.slice(0, LONGEST)}…` : masked;
}
