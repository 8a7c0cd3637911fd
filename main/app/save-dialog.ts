import { dialog, type BrowserWindow } from 'electron';

/** Lets the user choose where a JSON file goes; null when they changed their mind. It asks before it names a file that is there. */
export async function chooseSavePlace(window: BrowserWindow | null, offered: string, title: string, filter: string): Promise<string | null> {
  const options = { title, defaultPath: offered, filters: [{ name: filter, extensions: ['json'] }], properties: ['showOverwriteConfirmation' as const, 'createDirectory' as const] };
  const { filePath, canceled } = window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
  return canceled || filePath === '' ? null : filePath;
}
