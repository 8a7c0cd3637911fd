import { join } from 'node:path';
import { app, Menu, Tray } from 'electron';
import type { Log } from '../gateway/ports.ts';
import type { Translate } from './i18n.ts';
import { inFlightLine, stateLine, trayMenu, trayState, type TrayActions, type TrayFacts } from './tray-menu.ts';

export interface AppTray {
  /** Shows what is true now; when the words are the same nothing is touched, so that an open menu stays open. */
  draw(): void;
  remove(): void;
}

export interface TrayParts {
  readonly log: Log;
  readonly actions: TrayActions;
  readonly t: Translate;
  readonly facts: () => TrayFacts;
}

/** Puts the icon into the system's tray. Where there is none the app works without it, and `draw` does nothing. */
export function createTray({ log, actions, t, facts }: TrayParts): AppTray {
  let tray: Tray | null = null;
  let shown = '';
  try {
    tray = new Tray(pictureOf(facts()));
    tray.on('click', () => { if (process.platform !== 'darwin') actions.open(); });
  } catch (error) {
    log.warn('there is no tray here', { error: String(error) });
  }
  return {
    draw() {
      if (tray === null) return;
      const now = facts();
      const words = [stateLine(now.gateway, t), inFlightLine(now, t)];
      const next = JSON.stringify([...words, trayState(now), t('native.tray.open')]);
      if (next === shown) return;
      shown = next;
      tray.setImage(pictureOf(now));
      tray.setToolTip([app.getName(), ...words].join('\n'));
      tray.setContextMenu(Menu.buildFromTemplate(trayMenu(now, actions, t)));
    },
    remove() {
      tray?.destroy();
      tray = null;
    },
  };
}

function pictureOf(facts: TrayFacts): string {
  const name = `${trayState(facts)}${process.platform === 'darwin' ? 'Template' : ''}.png`;
  return join(app.getAppPath(), 'assets', 'generated', 'tray', name);
}
