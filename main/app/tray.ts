import { join } from 'node:path';
import { app, Menu, Tray } from 'electron';
import type { Clock, Log } from '../gateway/ports.ts';
import type { Translate } from './i18n.ts';
import { inFlightLine, stateLine, trayMenu, trayState, type TrayActions, type TrayFacts } from './tray-menu.ts';

// A menu that is rebuilt with every event of a busy gateway would close under the user's hand.
const REFRESH_AFTER_MS = 500;

export interface AppTray {
  /** Something it tells has changed; it is redrawn at most twice a second, and only when the words differ. */
  refresh(): void;
  remove(): void;
}

export interface TrayParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly actions: TrayActions;
  readonly t: Translate;
  facts(): TrayFacts;
}

/** Puts the icon into the system's tray. Where there is none the app works without it, and `refresh` does nothing. */
export function createTray(parts: TrayParts): AppTray {
  let tray: Tray | null = null;
  let shown = '';
  let waiting = false;
  const draw = (): void => {
    waiting = false;
    if (tray === null) return;
    const facts = parts.facts();
    const words = [stateLine(facts.gateway, parts.t), inFlightLine(facts, parts.t)];
    const next = JSON.stringify([...words, trayState(facts), parts.t('native.tray.open')]);
    if (next === shown) return;
    shown = next;
    tray.setImage(pictureOf(facts));
    tray.setToolTip([app.getName(), ...words].join('\n'));
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(facts, parts.actions, parts.t)));
  };
  try {
    tray = new Tray(pictureOf(parts.facts()));
    tray.on('click', () => { if (process.platform !== 'darwin') parts.actions.open(); });
    draw();
  } catch (error) {
    parts.log.warn('there is no tray here', { error: String(error) });
  }
  let cancel = (): void => undefined;
  return {
    refresh() {
      if (waiting || tray === null) return;
      waiting = true;
      cancel = parts.clock.timer(REFRESH_AFTER_MS, draw);
    },
    remove() {
      cancel();
      tray?.destroy();
      tray = null;
    },
  };
}

function pictureOf(facts: TrayFacts): string {
  const name = `${trayState(facts)}${process.platform === 'darwin' ? 'Template' : ''}.png`;
  return join(app.getAppPath(), 'assets', 'generated', 'tray', name);
}
