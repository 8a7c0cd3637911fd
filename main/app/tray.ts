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
  let picture = '';
  try {
    picture = pictureOf(facts());
    tray = new Tray(picture);
    tray.on('click', () => { if (process.platform !== 'darwin') actions.open(); });
  } catch (error) {
    log.warn('there is no tray here', { error: String(error) });
  }
  return {
    draw() {
      if (tray === null) return;
      const now = facts();
      const wanted = pictureOf(now);
      if (wanted !== picture) tray.setImage(wanted);
      picture = wanted;
      const menu = trayMenu(now, actions, t);
      // What is clicked has no words of its own: requests of the same words differ by their ids.
      const next = JSON.stringify([menu, now.inFlight.slice(0, 10).map(({ row }) => row.id), now.failures.map(({ id }) => id)]);
      if (next === shown) return;
      shown = next;
      tray.setToolTip([app.getName(), stateLine(now.gateway, t), inFlightLine(now, t)].join('\n'));
      tray.setContextMenu(Menu.buildFromTemplate(menu));
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
