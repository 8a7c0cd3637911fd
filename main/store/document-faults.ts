import type { z } from 'zod';
import type { DocumentFault } from '../../shared/document.ts';

type Issue = z.core.$ZodIssue;

/** What the schema has against a document, one fault per field; values are never quoted, since they may be secrets. */
export function schemaFaults(issues: readonly Issue[], before: readonly PropertyKey[] = []): DocumentFault[] {
  return issues.flatMap((issue) => faultsOf(issue, before));
}

/** `upstreams[0].base_url`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}${text === '' ? '' : '.'}${String(step)}`), '');
}

function faultsOf(issue: Issue, before: readonly PropertyKey[]): DocumentFault[] {
  const path = [...before, ...issue.path];
  const fault = (message: string): DocumentFault[] => [{ path: pathText(path), message }];
  switch (issue.code) {
    case 'unrecognized_keys': return issue.keys.map((key) => ({ path: pathText([...path, key]), message: 'is not a known field' }));
    case 'invalid_type': return fault(issue.input === undefined ? `is missing: must be ${KINDS[issue.expected] ?? issue.expected}` : `must be ${KINDS[issue.expected] ?? issue.expected}`);
    case 'invalid_value': return fault(issue.values.length === 1 ? `must be ${String(issue.values[0])}` : `must be one of ${issue.values.map(String).join(', ')}`);
    case 'too_small': return fault(`must be ${sizeWords(issue.origin, 'at least', Number(issue.minimum))}`);
    case 'too_big': return fault(`must be ${sizeWords(issue.origin, 'at most', Number(issue.maximum))}`);
    case 'invalid_format': return fault(FORMS[String(path.at(-1))] ?? 'must be a single line of what a header can carry: no control characters, no letters beyond Latin-1');
    case 'invalid_key': return fault('is not a name a header can have');
    case 'invalid_union': return unionFaults(issue, path);
    case 'not_multiple_of': case 'invalid_element': case 'custom': return fault(issue.message);
  }
}

function unionFaults(issue: Extract<Issue, { code: 'invalid_union' }>, path: readonly PropertyKey[]): DocumentFault[] {
  // A union told apart by a field: no branch was entered.
  if (issue.errors.length === 0) return [{ path: pathText(path), message: 'must be one of stored, env, client, none' }];
  const words = issue.errors.flatMap((branch) => schemaFaults(branch, path).map((fault) => fault.message.replace(/^must be /, '')));
  return [{ path: pathText(path), message: `must be ${[...new Set(words)].join(', or ')}` }];
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false', array: 'a list', object: 'an object', record: 'an object', null: 'null',
};

const FORMS: Readonly<Record<string, string>> = {
  id: 'must begin with a letter or a digit and have only letters, digits, dots, dashes and underscores, at most 64',
  key: 'must be hf- followed by letters, digits, dashes and underscores, at most 200',
  name: 'must be the name of an environment variable: letters, digits and underscores, not beginning with a digit',
};

function sizeWords(origin: string, bound: string, size: number): string {
  if (origin === 'string') return `${bound} ${size} ${size === 1 ? 'character' : 'characters'} long`;
  if (origin === 'array' || origin === 'set') return `a list of ${bound} ${size} ${size === 1 ? 'entry' : 'entries'}`;
  return `${bound} ${size}`;
}
