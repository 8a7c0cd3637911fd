import { join } from 'node:path';
import { app } from 'electron';
import { autostartFolder, HIDDEN_ARGUMENT, type LoginStarter } from './login-start.ts';

/** The way of this system to start this app at login; null when the app runs from its sources. */
export function systemLoginStarter(): LoginStarter | null {
  if (!app.isPackaged) return null;
  // An AppImage runs from a folder of the day; its file is what stays.
  if (process.platform === 'linux') return autostartFolder(join(app.getPath('appData'), 'autostart'), process.env['APPIMAGE'] ?? process.execPath);
  return process.platform === 'darwin' ? macLoginItem : windowsRunKey();
}

// Without a window is the app's own setting there: no arguments can be given.
const macLoginItem: LoginStarter = {
  apply: async ({ on }) => { app.setLoginItemSettings({ openAtLogin: on }); },
  state: async () => {
    const { status, openAtLogin } = app.getLoginItemSettings();
    if (status === 'requires-approval') return 'blocked';
    return openAtLogin ? 'on' : 'off';
  },
};

function windowsRunKey(): LoginStarter {
  // Windows finds an entry again by its arguments.
  let args: string[] = [];
  return {
    apply: async ({ on, hidden }) => {
      args = hidden ? [HIDDEN_ARGUMENT] : [];
      app.setLoginItemSettings({ openAtLogin: on, args });
    },
    state: async () => {
      const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings({ args });
      if (!openAtLogin) return 'off';
      return executableWillLaunchAtLogin ? 'on' : 'blocked';
    },
  };
}
