import { dialog, type BrowserWindow } from 'electron';
import type { ExportFormat } from '../../shared/export.ts';
import type { Translate } from './i18n.ts';

/** Lets the user choose where an export goes; null when they changed their mind. It asks before it names a file that is there. */
export async function chooseExportFile(window: BrowserWindow | null, offered: string, as: ExportFormat, t: Translate): Promise<string | null> {
  const options = { title: t('native.export.title'), buttonLabel: t('native.export.save'), defaultPath: offered, filters: [{ name: t(`export.as.${as}`), extensions: [as] }], properties: ['showOverwriteConfirmation' as const, 'createDirectory' as const] };
  const { filePath, canceled } = window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
  return canceled || filePath === '' ? null : filePath;
}
