import { app, Menu, nativeTheme } from 'electron';
import { languageFor } from '../../shared/language.ts';
import type { GatewayState } from '../../shared/events.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Texts } from './i18n.ts';
import { jumpTasks } from './jump-list.ts';
import { appMenu, type MenuActions } from './menu.ts';
import { systemLanguage } from './system-language.ts';

/** Brings language, theme and menu in line with the settings; call again whenever they, or what the menu says of the gateway, change. */
export function applyAppearance(settings: Settings, texts: Texts, gateway: GatewayState, actions: MenuActions): void {
  texts.use(languageFor(settings['app.language'], systemLanguage()));
  if (nativeTheme.themeSource !== settings['app.theme']) nativeTheme.themeSource = settings['app.theme'];
  Menu.setApplicationMenu(Menu.buildFromTemplate(appMenu(process.platform, app.getName(), !app.isPackaged, gateway, actions, texts.t)));
  if (process.platform === 'win32') app.setUserTasks(jumpTasks(process.execPath, texts.t));
}
