import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientForms } from '../../renderer/overview/client-forms.ts';
import { root } from '../../scripts/lib/paths.mjs';
import { documentSchema } from '../../shared/document.ts';
import { parseSetting, type SettingKey } from '../../shared/settings.ts';
import { README_KEY, README_URL, readmeText } from '../support/readme.ts';

const readme = readmeText();

const sourceOf = (folder: string): string => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|mjs)$/.test(name)).map((name) => readFileSync(join(root, folder, name), 'utf8')).join('\n');

describe('the README', () => {
  it.each(clientForms(README_URL, README_KEY))('tells of $name what the window tells', ({ parts }) => {
    for (const line of parts.flatMap((part) => part.lines)) expect(readme).toContain(line);
    for (const { file } of parts) if (file !== null) expect(readme).toContain(`\`${file}\``);
  });

  it('names commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm (start|test|run [\w:]+)/g)].map(([, name = '']) => name.replace('run ', ''));
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('names variables that are read', () => {
    const code = sourceOf('main') + sourceOf('scripts');
    const named = [...new Set(readme.match(/\bHOLDFAST_(?!KEY\b)\w+/g))];
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !code.includes(`'${name}'`))).toEqual([]);
  });

  it('shows a document that is taken', () => { // SPEC 18.2
    const text = [...readme.matchAll(/```json\n(.*?)```/gs)].map(([, block = '']) => block).find((block) => block.includes('"holdfast"'));
    const document = documentSchema.parse(JSON.parse(text ?? ''));
    for (const [key, value] of Object.entries(document.settings)) expect(parseSetting(key as SettingKey, value)).toMatchObject({ ok: true });
  });
});

describe.each(['README.md', 'CHANGELOG.md', 'docs/decisions.md'])('%s', (path) => {
  const text = readFileSync(join(root, path), 'utf8');

  it('links to files that there are', () => {
    const local = [...text.matchAll(/\]\(([^)#]+)[^)]*\)|src="([^"]+)"/g)].map(([, link, source]) => link ?? source ?? '').filter((link) => !/^\w+:/.test(link));
    expect(local.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
  });
});

it('keeps every decision to ten lines, with its context, choice and consequence', () => {
  const decisions = readFileSync(join(root, 'docs', 'decisions.md'), 'utf8').split(/^## /m).slice(1);
  expect(decisions.length).toBeGreaterThan(9);
  for (const decision of decisions) {
    const [title, ...lines] = decision.trim().split('\n').filter((line) => line !== '');
    expect(lines.length, title).toBeLessThanOrEqual(10);
    for (const word of ['Context: ', 'Choice: ', 'Consequence: ']) expect(lines.filter((line) => line.startsWith(word)).length, `${title}: ${word}`).toBe(1);
  }
});
