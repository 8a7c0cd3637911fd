import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { app } from 'electron';

/**
 * The folder that holds everything of the user: `HOLDFAST_DATA_DIR`, or the system's place for this app. Chromium's own files go into a
 * folder inside it. Call before Electron is ready.
 */
export function settleDataDir(): string {
  const named = process.env['HOLDFAST_DATA_DIR'];
  const dataDir = named === undefined || named === '' ? app.getPath('userData') : resolve(named);
  // Chromium ends without a word when it cannot write, so then it writes elsewhere until the user has been told.
  const own = isWritable(dataDir) ? dataDir : mkdtempSync(join(tmpdir(), 'holdfast-'));
  app.setPath('userData', own);
  app.setPath('sessionData', join(own, 'window'));
  return dataDir;
}

function isWritable(folder: string): boolean {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(probe, '');
    rmSync(probe);
    return true;
  } catch {
    return false;
  }
}
