import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigurationState } from './configuration-state.ts';
import { withoutSecrets } from './upstream-secrets.ts';

const KEPT_BACKUPS = 20;

/** Writes the configuration without its secrets to `backups/` in the data folder, mode 0600, and returns the path. The oldest beyond twenty are removed. */
export async function writeBackup(dataDir: string, state: ConfigurationState, utcMs: number): Promise<string> {
  const folder = join(dataDir, 'backups');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = await writeNew(folder, new Date(utcMs).toISOString().replaceAll(':', '-'), `${JSON.stringify(documentOf(state), null, 2)}\n`);
  const names = (await readdir(folder)).filter((name) => /^configuration-.*\.json$/.test(name)).sort();
  for (const name of names.slice(0, -KEPT_BACKUPS)) await rm(join(folder, name), { force: true });
  return path;
}

async function writeNew(folder: string, date: string, text: string): Promise<string> {
  for (let n = 1; ; n++) {
    const path = join(folder, `configuration-${date}${n === 1 ? '' : `-${n}`}.json`);
    try {
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

// In the words of the import document. Where a secret stood there is its hint: the user puts the secret in again.
function documentOf(state: ConfigurationState): object {
  return {
    holdfast: 1,
    settings: state.settings,
    upstreams: state.upstreams.map(({ upstream }) => {
      const { baseUrl, maxInFlight, ...rest } = withoutSecrets(upstream);
      return { ...rest, base_url: baseUrl, max_in_flight: maxInFlight };
    }),
    routes: state.routes,
    keys: state.keys.map(({ key }) => ({ name: key.name, hint: key.hint })),
  };
}
