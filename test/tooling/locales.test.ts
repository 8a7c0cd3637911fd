// Every sentence a user can see is a key (DESIGN 7), in both languages (UI): none missing, none left over, the same values in each.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { findKeyUses, isMeant, withoutPlural } from './key-uses.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Texts {
  readonly [key: string]: string | Texts;
}

const flatten = (texts: Texts, before = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, text]) => (typeof text === 'string' ? [[before + key, text] as [string, string]] : flatten(text, `${before}${key}.`)));

const load = (language: string) => new Map(flatten(JSON.parse(readFileSync(join(root, 'locales', `${language}.json`), 'utf8')) as Texts));

/** The names of the values in a text. */
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*-?\s*(\w+)[^}]*\}\}/g)].map(([, name]) => name ?? '');

/** For each key without its plural ending: every value that any of its forms shows. */
function shown(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  const all = new Map<string, Set<string>>();
  for (const [key, text] of texts) {
    const names = all.get(withoutPlural(key)) ?? new Set();
    placeholders(text).forEach((name) => names.add(name));
    all.set(withoutPlural(key), names);
  }
  return new Map([...all].map(([key, names]) => [key, [...names].sort()]));
}

function readProgram(): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as { config: unknown };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return ts.createProgram(fileNames.filter((path) => /^(main|renderer|shared)\//.test(relative(root, path))), options);
}

describe('the words of the app', () => {
  const english = load('en');
  const chinese = load('zh');
  const uses = findKeyUses(readProgram(), (path) => /^(main|renderer|shared)\//.test(relative(root, path)));

  it('has the same keys in both languages', () => {
    expect([...shown(chinese).keys()].sort()).toEqual([...shown(english).keys()].sort());
  });

  it.each(['en', 'zh'])('has every plural form that %s needs, wherever it has one', (language) => {
    const texts = load(language);
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const plurals = new Set([...english.keys(), ...chinese.keys()].filter((key) => key !== withoutPlural(key)).map(withoutPlural));
    const missing = [...plurals].flatMap((key) => needed.map((form) => `${key}_${form}`)).filter((key) => !texts.has(key));
    expect(missing).toEqual([]);
  });

  it('shows the same values in both languages', () => {
    expect(Object.fromEntries(shown(chinese))).toEqual(Object.fromEntries(shown(english)));
  });

  it.each(['en', 'zh'])('has no empty text in %s', (language) => {
    expect([...load(language)].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('has every key that the code asks for, all members of composed families among them', () => {
    const keys = [...english.keys()];
    const missing = uses.calls.flatMap(({ at, keys: asked }) => asked.filter((use) => use !== '*' && !keys.some((key) => isMeant(key, use))).map((use) => `${relative(root, at)} ${use}`));
    expect(missing).toEqual([]);
  });

  it('has no key that nothing asks for', () => {
    const asked = [...new Set([...uses.calls.flatMap(({ keys }) => keys).filter((use) => use !== '*'), ...uses.mentions])];
    expect([...english.keys()].filter((key) => !asked.some((use) => isMeant(key, use)))).toEqual([]);
  });

  it('is given every value that its texts show', () => {
    const values = shown(english);
    const lacking = uses.calls.flatMap(({ at, keys, values: given }) =>
      given === null ? [] : keys.flatMap((key) => (values.get(key) ?? []).filter((name) => !given.includes(name)).map((name) => `${relative(root, at)} ${key} {{${name}}}`)),
    );
    expect(lacking).toEqual([]);
  });
});

describe('the search for keys in code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-keys-'));
  const file = join(folder, 'planted.ts');
  writeFileSync(
    file,
    `declare const t: (key: string, values?: object) => string;
     declare const texts: { t: typeof t };
     declare const kind: 'a' | 'b'; declare const free: string; declare const busy: boolean; declare const rest: object;
     const later = 'by.variable';
     t('plain.key'); texts.t('main.key', { n: 1 }); t(busy ? 'if.so' : 'if.not', { ...rest });
     t(\`family.\${kind}.title\`); t(\`open.\${free}\`); t(free);
     export const entry = { label: 'in.a_table' }; export { later };`,
  );
  const { calls, mentions } = findKeyUses(ts.createProgram([file], { strict: true, noLib: true }), (path) => path === file);
  rmSync(folder, { recursive: true });

  it('spells out what a call can ask for, and the values it gives', () => {
    expect(calls.map(({ keys, values }) => ({ keys, values }))).toEqual([
      { keys: ['plain.key'], values: [] },
      { keys: ['main.key'], values: ['n'] },
      { keys: ['if.so', 'if.not'], values: null },
      { keys: ['family.a.title', 'family.b.title'], values: [] },
      { keys: ['open.*'], values: [] },
      { keys: ['*'], values: [] },
    ]);
  });

  it('sees keys that reach their call by a variable', () => {
    expect([...mentions]).toEqual(expect.arrayContaining(['by.variable', 'in.a_table']));
  });

  it('takes a plural form for its key, and a free part for any text', () => {
    expect(isMeant('rows.count_one', 'rows.count')).toBe(true);
    expect(isMeant('open.some', 'open.*')).toBe(true);
    expect(isMeant('open', 'open.*')).toBe(false);
    expect(isMeant('rows.counted', 'rows.count')).toBe(false);
  });
});
