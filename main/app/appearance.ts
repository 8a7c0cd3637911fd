import { app, Menu, nativeTheme } from 'electron';
import { languageFor } from '../../shared/language.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Texts } from './i18n.ts';
import { appMenu, type MenuActions } from './menu.ts';
import { systemLanguage } from './system-language.ts';

/** Brings language, theme and menu in line with the settings; call again whenever they change. */
export function applyAppearance(settings: Settings, texts: Texts, actions: MenuActions): void {
  texts.use(languageFor(settings['app.language'], systemLanguage()));
  if (nativeTheme.themeSource !== settings['app.theme']) nativeTheme.themeSource = settings['app.theme'];
  Menu.setApplicationMenu(Menu.buildFromTemplate(appMenu(process.platform, app.getName(), !app.isPackaged, actions, texts.t)));
}
