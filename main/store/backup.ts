import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BACKUP_KINDS, type Backup, type BackupKind } from '../../shared/data.ts';
import type { ConfigurationState } from './configuration-state.ts';
import { documentText } from './document-export.ts';

const KEPT_BACKUPS = 10;
const NAME = /^configuration-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)(?:-(daily|manual|before))?(?:-\d+)?\.json$/;

/** The folder of the backups. */
export function backupFolder(dataDir: string): string {
  return join(dataDir, 'backups');
}

/** Writes the configuration without its secrets to `backups/` in the data folder, mode 0600, and returns the path. Of each kind the oldest beyond ten are removed. */
export async function writeBackup(dataDir: string, state: ConfigurationState, utcMs: number, kind: BackupKind): Promise<string> {
  const folder = backupFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = await writeNew(folder, `${new Date(utcMs).toISOString().replaceAll(':', '-')}-${kind}`, documentText(state));
  const older = (await listBackups(dataDir)).filter((backup) => backup.kind === kind && join(folder, backup.name) !== path);
  for (const { name } of older.slice(KEPT_BACKUPS - 1)) await rm(join(folder, name), { force: true });
  return path;
}

/** The kept backups, newest first; other files are passed by. */
export async function listBackups(dataDir: string): Promise<readonly Backup[]> {
  const folder = backupFolder(dataDir);
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const found = await Promise.all(names.map(async (name): Promise<readonly Backup[]> => {
    const parts = NAME.exec(name);
    // One may go while they are counted.
    const size = parts === null ? null : await stat(join(folder, name)).then((facts) => (facts.isFile() ? facts.size : null), () => null);
    return parts === null || size === null ? [] : [{ name, kind: BACKUP_KINDS.find((kind) => kind === parts[2]) ?? 'before', madeAt: timeOf(parts[1] ?? ''), sizeBytes: size }];
  }));
  return found.flat().sort((a, b) => b.madeAt - a.madeAt || (a.name < b.name ? 1 : -1));
}

/** The text of a backup; null when there is none of this name. The name leads nowhere else. */
export async function readBackup(dataDir: string, name: string): Promise<string | null> {
  if (!NAME.test(name)) return null;
  return readFile(join(backupFolder(dataDir), name), 'utf8').catch(() => null);
}

/** Writes a daily backup unless one of the last 24 hours is there or nothing has changed since the newest of any kind; answers whether it did. */
export async function backUpDaily(dataDir: string, state: ConfigurationState, utcMs: number): Promise<boolean> {
  const backups = await listBackups(dataDir);
  const lately = backups.find(({ kind }) => kind === 'daily');
  // A clock that was set back leaves backups of the future behind: they keep no new one away for longer than a day.
  if (lately !== undefined && Math.abs(utcMs - lately.madeAt) < DAY_MS) return false;
  const [newest] = backups;
  if (newest !== undefined && await readBackup(dataDir, newest.name) === documentText(state)) return false;
  await writeBackup(dataDir, state, utcMs, 'daily');
  return true;
}

const DAY_MS = 86_400_000;

function timeOf(text: string): number {
  return Date.parse(text.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));
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
