import type { AppUpdater, UpdateInfo } from 'electron-updater';
import type { Update, UpdateFault } from '../../shared/updates.ts';

/** What is done with updates, whoever does it. */
export interface UpdateEngine {
  /** Reads the feed: what is newer than this app, null when nothing is. Rejects when it cannot be read. */
  check(): Promise<Update | null>;
  /** Downloads what the last check found and compares its checksum; `progress` gets 0-1. Rejects when it is not what the feed promised. */
  download(progress: (share: number) => void): Promise<void>;
  /** Puts what was downloaded in the place of this app, ends the process and starts the new one. `failed` is called when it cannot; then the process goes on. */
  install(failed: (error: unknown) => void): void;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
const LONGEST_NOTES = 20_000;

/** Updates by electron-updater, which downloads and installs nothing unless it is told to. */
export function engineOf(updater: AppUpdater): UpdateEngine {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  // The library would tell the feed a lasting number of this installation; so every installation tells the same.
  updater.requestHeaders = { 'x-user-staging-id': NOBODY };
  // Without a listener an error of an event emitter ends the process; whoever asked gets it as a rejection.
  updater.on('error', () => undefined);
  return {
    check: async () => {
      const result = await updater.checkForUpdates();
      return result?.isUpdateAvailable === true ? updateOf(result.updateInfo) : null;
    },
    download: async (progress) => {
      const told = ({ percent }: { percent: number }): void => { progress(Math.min(1, Math.max(0, percent / 100))); };
      updater.on('download-progress', told);
      try {
        await updater.downloadUpdate();
      } finally {
        updater.off('download-progress', told);
      }
    },
    install: (failed) => {
      updater.once('error', failed);
      updater.quitAndInstall(true, true);
    },
  };
}

/** What the feed tells of a version, with its notes as plain text: a feed must not be able to put markup into the window. */
export function updateOf({ version, releaseNotes, releaseDate }: Pick<UpdateInfo, 'version' | 'releaseNotes' | 'releaseDate'>): Update {
  const text = Array.isArray(releaseNotes) ? releaseNotes.map((one) => `${one.version}\n${one.note ?? ''}`).join('\n\n') : releaseNotes ?? '';
  const notes = withoutMarkup(text).slice(0, LONGEST_NOTES).trim();
  const releasedAt = Date.parse(releaseDate);
  return { version: version.slice(0, 100), notes: notes === '' ? null : notes, releasedAt: Number.isNaN(releasedAt) ? null : releasedAt };
}

function withoutMarkup(text: string): string {
  return text.slice(0, 10 * LONGEST_NOTES).replace(/<\/?[a-z!][^<>]{0,2000}>/gi, '').replace(/[^\P{Cc}\n\t]/gu, '');
}

const NETWORK = /net::ERR_|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timed? ?out|socket hang up/i;

/** What an error of electron-updater means to a user. */
export function faultOf(error: unknown): UpdateFault {
  if (!(error instanceof Error)) return 'other';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ERR_CHECKSUM_MISMATCH') return 'bad_checksum';
  if (code.startsWith('ERR_UPDATER_') || 'statusCode' in error) return 'bad_answer';
  return NETWORK.test(code) || NETWORK.test(error.message) ? 'unreachable' : 'other';
}
