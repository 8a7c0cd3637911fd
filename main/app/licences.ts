import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Licence } from '../../shared/data.ts';

const licencesSchema = z.array(z.strictObject({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() }));

/** The licences of everything the app is built from, by name. `builtDir` holds the folders `main` and `renderer`, each with the list of its own build. Rejects when one is not there. */
export async function readLicences(builtDir: string): Promise<readonly Licence[]> {
  const lists = await Promise.all(['main', 'renderer'].map(async (part) => licencesSchema.parse(JSON.parse(await readFile(join(builtDir, part, 'licences.json'), 'utf8')))));
  const byName = new Map(lists.flat().map((one) => [`${one.name} ${one.version}`, one]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
