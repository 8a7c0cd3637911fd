import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';

/** The address and the key that stand in README.md. */
export const README_URL = 'http://127.0.0.1:4653';
export const README_KEY = 'hf-YOUR-KEY';

export const readmeText = (): string => readFileSync(join(root, 'README.md'), 'utf8');

/** What README.md tells the users of a client to do: variables of their shell, and files in their home folder. */
export interface SetUp {
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/**
 * Reads the section of a client: `export NAME=value` lines are its variables, and a block below a line that names a file of the home
 * folder (`~/...`) is that file. The tests follow what is written there, so that it cannot become wrong unseen.
 */
export function setUpFromReadme(heading: string, url: string, key: string): SetUp {
  const section = readmeText().split(/^### /m).find((text) => text.startsWith(`${heading}\n`))?.split(/^## /m)[0];
  if (section === undefined) throw new Error(`README.md has no section "### ${heading}"`);
  const own = section.replaceAll(README_URL, url).replaceAll(README_KEY, key);
  const env = Object.fromEntries([...own.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
  const files = [...own.matchAll(/`~\/([\w./-]+)`[^\n]*\n+```\w*\n(.*?)```/gs)].map(([, path = '', text = '']) => ({ path, text }));
  return { env, files };
}
