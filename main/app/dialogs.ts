import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { InFlight } from '../../shared/events.ts';
import type { StoreRefusal } from '../store/protocol.ts';
import { refusalText, runningLines } from './dialog-texts.ts';
import type { Translate } from './i18n.ts';
import { QUIT_GRACE_MS } from './quit.ts';

async function show(window: BrowserWindow | null, options: MessageBoxOptions): Promise<number> {
  // On a window that nobody sees nobody would see it.
  const answer = window?.isVisible() === true && !window.isMinimized() ? await dialog.showMessageBox(window, options) : await dialog.showMessageBox(options);
  return answer.response;
}

/** Says that closing the window leaves the gateway running, and where to find the app: in the tray, or as a minimised window where there is none. The user may quit instead. */
export async function tellAboutTray(window: BrowserWindow | null, tray: boolean, t: Translate): Promise<'keep' | 'quit'> {
  const answer = await show(window, {
    type: 'info',
    message: t('native.close.message'),
    detail: t(tray ? 'native.close.detail' : 'native.close.detail_no_tray'),
    buttons: [t('native.close.keep'), t('native.close.quit')],
    defaultId: 0,
    cancelId: 0,
  });
  return answer === 1 ? 'quit' : 'keep';
}

/** Says what is still running and asks whether to wait for it (SPEC 17); goes away by itself when `finished` aborts. */
export async function askBeforeQuit(window: BrowserWindow | null, running: readonly InFlight[], finished: AbortSignal, nowUtcMs: number, t: Translate): Promise<'wait' | 'now'> {
  const answer = await show(window, {
    type: 'question',
    message: t('native.quit.message', { count: running.length }),
    detail: `${t('native.quit.detail', { seconds: QUIT_GRACE_MS / 1_000 })}\n\n${runningLines(running, nowUtcMs, t).join('\n')}`,
    buttons: [t('native.quit.wait'), t('native.quit.now')],
    defaultId: 0,
    cancelId: 0,
    signal: finished,
  });
  return answer === 1 ? 'now' : 'wait';
}

/** Says why the app cannot start (SPEC 15). */
export async function tellRefusal(refusal: StoreRefusal, t: Translate): Promise<void> {
  await show(null, { type: 'error', message: t('native.start.message'), detail: refusalText(refusal, t), buttons: [t('native.start.close')] });
}

/** Lets the user choose a document to import; null when they changed their mind. */
export async function chooseDocument(window: BrowserWindow | null, t: Translate): Promise<string | null> {
  const options = { title: t('native.import.title'), filters: [{ name: t('native.import.filter'), extensions: ['json'] }], properties: ['openFile' as const] };
  const { filePaths } = window === null ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(window, options);
  return filePaths[0] ?? null;
}
