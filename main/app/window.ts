import { join } from 'node:path';
import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import type { IpcEvents, PageName } from '../../shared/ipc.ts';
import type { LinkTarget } from '../../shared/link.ts';
import type { Clock, Log } from '../gateway/ports.ts';
import type { Memory } from './memory.ts';
import { APP_ORIGIN } from './page-address.ts';
import { atMostEvery } from './throttle.ts';
import { MIN_SIZE, placeWindow } from './window-place.ts';

/** What the window shows before the page has painted: the tokens of the page's background. */
const BACKGROUND = { light: '#f6f7f8', dark: '#14181d' };
const REMEMBER_AFTER_MS = 500;
const AWAY_WITHIN_MS = 500;
const RELOAD_AGAIN_AFTER_MS = 30_000;

/** The app's one window. It is made when it is first shown, and hidden rather than closed until the app ends. */
export interface MainWindow {
  /** Brings it to the front, and to a page, or where a link leads, when one is named. */
  show(where?: PageName | LinkTarget): void;
  /** Where a page that has begun to listen has to go first; null when nowhere. From then on it is told. */
  takeLink(): LinkTarget | null;
  hide(): void;
  /** Puts it away where it can be found without a tray. */
  minimise(): void;
  /** Whether somebody could see it: events are sent only then. */
  isVisible(): boolean;
  /** Sends to the page; nothing happens while there is no page. */
  send<K extends keyof IpcEvents>(channel: K, payload: IpcEvents[K]): void;
  /** Remembers its place now; to be called before the store closes. */
  remember(): void;
  /** The window for dialogs to stand on, null when it was never shown. */
  native(): BrowserWindow | null;
}

export interface WindowParts {
  readonly memory: Memory;
  readonly clock: Clock;
  readonly log: Log;
  /** The user closed the window; nothing has happened yet. */
  onClose(): void;
  onFocus(): void;
  /** The session of the system ends, and the process with it (Windows). */
  onSessionEnd(): void;
  /** It came into sight, or its page has just loaded: it must be told everything. */
  onVisible(): void;
  /** The app is ending, so that closing closes. */
  isEnding(): boolean;
}

/** Makes the window's keeper; no window is open before `show`. */
export function createMainWindow(parts: WindowParts): MainWindow {
  let window: BrowserWindow | null = null;
  let wanted: LinkTarget | null = null;
  // A page that does not listen yet would miss what it is told, so it asks; a window that has not painted yet is not shown yet.
  let listens = false;
  let painted = false;

  const open = (): BrowserWindow => {
    const opened = openWindow(parts.memory);
    followPlace(opened, parts);
    opened.on('close', (event) => {
      if (parts.isEnding()) return;
      event.preventDefault();
      parts.onClose();
    });
    opened.on('closed', () => { window = null; });
    opened.on('session-end', () => { parts.onSessionEnd(); });
    opened.on('focus', () => { parts.onFocus(); });
    opened.webContents.on('did-start-loading', () => { listens = false; });
    opened.on('show', () => { parts.onVisible(); });
    opened.on('restore', () => { parts.onVisible(); });
    opened.webContents.on('did-finish-load', () => {
      parts.onVisible();
    });
    watchPage(opened, parts);
    void opened.loadURL(`${APP_ORIGIN}/`).catch((error: unknown) => { parts.log.error('the page could not be loaded', { error: String(error) }); });
    return opened;
  };

  const go = (where: PageName | LinkTarget): void => {
    if (window === null || !listens) wanted = typeof where === 'string' ? targetOf(where) : where;
    else if (typeof where === 'string') window.webContents.send('app.navigate', where);
    else window.webContents.send('link.followed', where);
  };

  return {
    show(where) {
      if (where !== undefined) go(where);
      if (window === null) {
        painted = false;
        window = open();
        const first = window;
        const reveal = (): void => {
          painted = true;
          first.show();
        };
        // Without the page there would be no window to complain in, so it is shown in either case.
        first.once('ready-to-show', reveal);
        first.webContents.once('did-fail-load', reveal);
      } else if (painted) {
        if (window.isMinimized()) window.restore();
        window.show();
        window.focus();
      }
      if (process.platform === 'darwin') void app.dock?.show();
    },
    takeLink() {
      const first = wanted;
      wanted = null;
      listens = true;
      return first;
    },
    minimise() {
      const closing = window;
      if (closing === null) return;
      let away = false;
      closing.once('minimize', () => { away = true; });
      closing.minimize();
      // Without a window manager nobody puts it away.
      parts.clock.timer(AWAY_WITHIN_MS, () => { if (!away && !closing.isDestroyed()) closing.hide(); });
    },
    hide() {
      window?.hide();
      if (process.platform === 'darwin') app.dock?.hide();
    },
    isVisible: () => window !== null && window.isVisible() && !window.isMinimized(),
    send(channel, payload) {
      if (window !== null && !window.webContents.isDestroyed()) window.webContents.send(channel, payload);
    },
    remember: () => { if (window !== null) rememberPlace(window, parts.memory); },
    native: () => window,
  };
}

function openWindow(memory: Memory): BrowserWindow {
  const last = memory.facts().window;
  const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map((display) => display.workArea);
  const window = new BrowserWindow({
    ...placeWindow(last, areas),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
    title: app.getName(),
    backgroundColor: backgroundNow(),
    autoHideMenuBar: true,
    ...(process.platform === 'linux' ? { icon: join(app.getAppPath(), 'assets', 'generated', 'icons', '256x256.png') } : {}),
    webPreferences: {
      preload: join(app.getAppPath(), 'out', 'preload', 'index.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  if (last?.maximised === true) window.maximize();
  const repaint = (): void => { window.setBackgroundColor(backgroundNow()); };
  nativeTheme.on('updated', repaint);
  window.once('closed', () => { nativeTheme.off('updated', repaint); });
  return window;
}

function targetOf(page: PageName): LinkTarget {
  if (page === 'requests') return { page, id: null };
  return page === 'settings' ? { page, section: null } : { page };
}

function backgroundNow(): string {
  return nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light;
}

function rememberPlace(window: BrowserWindow, memory: Memory): void {
  if (window.isDestroyed() || window.isMinimized()) return;
  memory.change({ window: { ...window.getNormalBounds(), maximised: window.isMaximized() } });
}

function followPlace(window: BrowserWindow, { memory, clock }: WindowParts): void {
  // Dragging an edge reports every step of it.
  const soon = atMostEvery(clock, REMEMBER_AFTER_MS, () => { rememberPlace(window, memory); });
  window.on('resize', soon.soon);
  window.on('move', soon.soon);
  window.on('maximize', soon.soon);
  window.on('unmaximize', soon.soon);
  window.once('closed', soon.cancel);
}

function watchPage(window: BrowserWindow, { clock, log }: WindowParts): void {
  let reloadedMs = -Infinity;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.error('the window\'s process ended', { reason, exitCode });
    // The gateway is not touched by it. A page that crashed is loaded again, but not one that crashes as soon as it is there.
    if ((reason !== 'crashed' && reason !== 'oom') || clock.now() - reloadedMs < RELOAD_AGAIN_AFTER_MS) return;
    reloadedMs = clock.now();
    window.webContents.reload();
  });
  window.webContents.on('preload-error', (_event, path, error) => { log.error('the preload script failed', { path, error: String(error) }); });
}
