import { RE2JS } from 're2js';
import type { CompilePattern } from '../core/rules.ts';

/** Longest pattern of a rule (SPEC 4.7), UTF-16 units. */
const MAX_PATTERN_LENGTH = 500;

/** Compiles a user's pattern on a linear-time engine, so that no pattern and no body can hold up the gateway. Null when it is refused. */
export const compilePattern: CompilePattern = (pattern) => {
  if (pattern.length > MAX_PATTERN_LENGTH) return null;
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.test(text);
  } catch {
    return null;
  }
};
