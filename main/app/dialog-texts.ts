import type { InFlight } from '../../shared/events.ts';
import type { StoreRefusal } from '../store/protocol.ts';
import type { Translate } from './i18n.ts';

/** Requests named in a question; more are counted. */
const NAMED_REQUESTS = 5;

/** One line for each running request, the oldest first; from the sixth on they are counted. */
export function runningLines(running: readonly InFlight[], nowUtcMs: number, t: Translate): string[] {
  const oldestFirst = running.map(({ row }) => row).sort((a, b) => a.started_at - b.started_at);
  const lines = oldestFirst.slice(0, NAMED_REQUESTS).map((row) => t('native.quit.row', {
    client: row.client ?? t('native.quit.unknown'),
    model: row.model_asked ?? t('native.quit.unknown'),
    seconds: Math.max(0, Math.round((nowUtcMs - row.started_at) / 1_000)),
  }));
  return running.length > NAMED_REQUESTS ? [...lines, t('native.quit.more', { count: running.length - NAMED_REQUESTS })] : lines;
}

/** Why the data folder could not be opened and what to do, in words. */
export function refusalText(refusal: StoreRefusal, t: Translate): string {
  switch (refusal.kind) {
    case 'newer_version': return t('native.start.newer_version', { file: refusal.file });
    case 'not_writable': return t('native.start.not_writable', { folder: refusal.dataDir, reason: refusal.reason });
    case 'disk_full': return t('native.start.disk_full', { folder: refusal.dataDir });
    case 'locked': return t('native.start.locked', { folder: refusal.dataDir });
    case 'failed': return t('native.start.failed', { folder: refusal.dataDir, reason: refusal.reason });
  }
}
