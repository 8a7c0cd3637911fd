import type { z } from 'zod';
import type { DocumentFault, ValueKind } from '../../shared/document.ts';
import { faultOf, pathText } from './fault-words.ts';

type Issue = z.core.$ZodIssue;

/** What the schema has against a document, one fault per field; values are never quoted, since they may be secrets. */
export function schemaFaults(issues: readonly Issue[], before: readonly PropertyKey[] = []): DocumentFault[] {
  return issues.flatMap((issue) => faultsOf(issue, before));
}

function faultsOf(issue: Issue, before: readonly PropertyKey[]): DocumentFault[] {
  const steps = [...before, ...issue.path];
  const path = pathText(steps);
  switch (issue.code) {
    case 'unrecognized_keys': return issue.keys.map((key) => faultOf(pathText([...steps, key]), 'unknown_field'));
    case 'invalid_type': return [faultOf(path, issue.input === undefined ? 'missing' : 'wrong_type', { kind: KINDS[issue.expected] ?? 'object' })];
    case 'invalid_value': return [faultOf(path, 'not_allowed', { allowed: issue.values.map(String).join(', ') })];
    case 'too_small': return [sizeFault(path, issue.origin, { min: Number(issue.minimum) })];
    case 'too_big': return [sizeFault(path, issue.origin, { max: Number(issue.maximum) })];
    case 'invalid_format': return [faultOf(path, formOf(steps))];
    case 'invalid_key': return [faultOf(path, 'bad_header_name')];
    case 'invalid_union': return unionFaults(issue, steps);
    case 'not_multiple_of': case 'invalid_element': case 'custom': return [faultOf(path, 'bad_form')];
  }
}

// The branch that came nearest: not one that was never entered, and of the others the one with the fewest faults.
function unionFaults(issue: Extract<Issue, { code: 'invalid_union' }>, steps: readonly PropertyKey[]): DocumentFault[] {
  // A union told apart by a field: no branch was entered.
  if (issue.errors.length === 0) return [faultOf(pathText(steps), 'not_allowed', { allowed: 'stored, env, client, none, withheld' })];
  const distance = (branch: readonly Issue[]): number => (branch.some(({ code, path }) => code === 'invalid_type' && path.length === 0) ? 1_000 : branch.length);
  const nearest = [...issue.errors].sort((a, b) => distance(a) - distance(b))[0] ?? [];
  return schemaFaults(nearest, steps);
}

const KINDS: Readonly<Record<string, ValueKind>> = { string: 'text', number: 'number', int: 'whole', boolean: 'boolean', array: 'list', object: 'object', record: 'object', null: 'null' };

function formOf(steps: readonly PropertyKey[]): 'bad_id' | 'bad_key' | 'bad_name' | 'bad_env_name' | 'bad_form' | 'bad_header_value' {
  switch (steps.at(-1)) {
    case 'id': return 'bad_id';
    case 'key': return 'bad_key';
    case 'name': return steps.includes('credential') ? 'bad_env_name' : 'bad_name';
    default: return steps.includes('withheld') ? 'bad_form' : 'bad_header_value';
  }
}

function sizeFault(path: string, origin: string, bound: { readonly min: number } | { readonly max: number }): DocumentFault {
  const thing = origin === 'string' ? 'text' : origin === 'array' || origin === 'set' ? 'list' : 'number';
  if (thing === 'number') return faultOf(path, 'min' in bound ? 'number_small' : 'number_large', bound);
  return faultOf(path, `${thing}_${'min' in bound ? 'short' : 'long'}`, bound);
}
