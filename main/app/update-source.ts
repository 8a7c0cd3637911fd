import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { app } from 'electron';
import type { NoUpdatesReason } from '../../shared/updates.ts';
import type { Log } from '../gateway/ports.ts';
import { isTrustedFeed } from './update-feed.ts';
import { engineOf, type UpdateEngine } from './update-engine.ts';

/** Updates from the feed that this build was made with; the reason when there are none. */
export async function openUpdateEngine(log: Log): Promise<UpdateEngine | NoUpdatesReason> {
  if (!app.isPackaged) return 'no_feed';
  const feed = await readFile(join(process.resourcesPath, 'app-update.yml'), 'utf8').catch(() => null);
  if (feed === null) return 'no_feed';
  if (!isTrustedFeed(feed)) {
    log.error('the feed of updates could be changed on the way, it is not used');
    return 'bad_feed';
  }
  // Loaded late: most starts do without it.
  const { autoUpdater } = await import('electron-updater');
  const say = (write: Log['info']) => (message?: unknown): void => { write('updates', { message: String(message) }); };
  autoUpdater.logger = { info: say(log.info), warn: say(log.warn), error: say(log.error) };
  return autoUpdater.isUpdaterActive() ? engineOf(autoUpdater) : 'not_updatable';
}
