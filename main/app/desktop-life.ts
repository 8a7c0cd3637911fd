import { app, powerMonitor } from 'electron';
import type { PageName } from '../../shared/ipc.ts';
import type { EventBridge } from '../ipc/event-bridge.ts';
import { applyAppearance } from './appearance.ts';
import { tellAboutTray } from './dialogs.ts';
import { appInfo } from './desktop-requests.ts';
import { createKeepAwake } from './keep-awake.ts';
import type { Desktop } from './parts.ts';
import { systemLanguage } from './system-language.ts';
import { atMostEvery } from './throttle.ts';

const HEALTH_EVERY_MS = 500;
// A tray menu that is rebuilt with every event of a busy gateway would close under the user's hand.
const REDRAW_EVERY_MS = 500;

/** Carries what the gateway tells to the window, the tray and the first steps; keeps the machine awake while anything is in flight. */
export function followGateway({ parts: { core: { gateway, store }, clock }, window, steps, tray, notices, failures }: Desktop, bridge: EventBridge): void {
  const keepAwake = createKeepAwake();
  const redraw = atMostEvery(clock, REDRAW_EVERY_MS, () => {
    tray.draw();
    keepAwake(gateway.inFlight().length > 0);
  });
  gateway.onEvent((event) => {
    bridge.note(event);
    steps.note(event);
    notices.note(event);
    failures.note(event);
    redraw.soon();
  });
  const tellHealth = atMostEvery(clock, HEALTH_EVERY_MS, () => { if (window.isVisible()) window.send('health.changed', gateway.health()); });
  const lookAtHealth = atMostEvery(clock, HEALTH_EVERY_MS, () => { notices.health(); });
  gateway.onHealth(() => {
    tellHealth.soon();
    lookAtHealth.soon();
  });
  store.logStatus.onChange((status) => { window.send('log.status_changed', status); });
  gateway.onState((state) => {
    window.send('gateway.changed', state);
    notices.gateway(state);
    tray.draw();
  });
}

/** Brings the app in line with the settings, now and whenever they change, and tells the window. The answer does the first anew. */
export function followSettings({ parts: { core: { config, store, gateway }, texts, log }, window, endpoint, steps, tray, quit, notices, updates, loginStart }: Desktop): () => void {
  const actions = {
    navigate: (page: PageName) => { window.show(page); },
    search: () => {
      window.show();
      window.send('app.search', null);
    },
    setAccepting: (accepting: boolean) => { gateway.setAccepting(accepting); },
    quit: () => { quit.begin({ silent: false }); },
  };
  const apply = (): void => {
    const settings = config.settings();
    applyAppearance(settings, texts, gateway.state(), actions);
    tray.draw();
    void loginStart.follow({ on: settings['app.start_at_login'], hidden: settings['app.start_hidden'] });
  };
  gateway.onState((state) => { applyAppearance(config.settings(), texts, state, actions); });
  apply();
  config.onChange((changed) => {
    if (changed.has('settings')) {
      apply();
      updates.follow();
      window.send('settings.changed', config.settings());
      endpoint.followSettings().catch((error: unknown) => { log.error('the endpoint could not be moved', { error: String(error) }); });
    }
    if (changed.has('upstreams')) {
      window.send('upstreams.changed', config.shownUpstreams());
      steps.upstreamsChanged();
      notices.upstreamsChanged();
    }
    if (changed.has('routes')) window.send('routes.changed', config.routes());
    if (changed.has('keys')) window.send('keys.changed', store.keys.list());
  });
  return apply;
}

/** Listens to the system: other starts of the app, the dock, signals, sleep and shutdown. */
export function followSystem({ parts: { core: { gateway }, links, log }, window, quit }: Desktop): void {
  app.on('second-instance', (_event, _argv, _folder, more) => {
    const link = more !== null && typeof more === 'object' && 'link' in more ? more.link : null;
    if (link !== null && !links.arrive(link)) log.warn('a link that leads nowhere was ignored');
    window.show();
  });
  app.on('activate', () => { window.show(); });
  // The gateway serves on without a window.
  app.on('window-all-closed', () => undefined);
  app.on('before-quit', (event) => {
    if (quit.ended()) return;
    event.preventDefault();
    quit.begin({ silent: false });
  });
  powerMonitor.on('resume', () => { gateway.wake(); });
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    // Asks the system for the time to write what is left; it gives little.
    event?.preventDefault();
    if (quit.begun()) quit.hurry();
    else quit.begin({ silent: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (quit.begun()) quit.hurry();
      else quit.begin({ silent: true });
    });
  }
}

/** Tells the page and the menus when the language of the system has become another one. No system tells of it, so it is looked at when the window gets the focus. */
export function watchLanguage({ parts, window }: Desktop, apply: () => void): () => void {
  let known = systemLanguage();
  return () => {
    const now = systemLanguage();
    if (now === known) return;
    known = now;
    apply();
    window.send('app.info_changed', appInfo(parts));
  };
}

/** Opens the endpoint and then the window, so that the first thing seen is true; tells what has gone wrong. */
export async function openEndpoint({ parts, endpoint, window, tray }: Desktop): Promise<void> {
  const { core: { store }, links, hidden } = parts;
  await endpoint.open();
  tray.draw();
  if (hidden || store.config.settings()['app.start_hidden']) window.hide();
  else window.show();
  // A link shows the window, also of an app that began hidden.
  links.follow((target) => { window.show(target); });
}

/** The user has closed the window: it hides, or is minimised where no tray would bring it back, or the app ends, as the setting says. The first time the app says that it stays. */
export async function closeWindow({ parts, memory, window, quit, hasTray }: Desktop): Promise<void> {
  if (!parts.core.config.settings()['app.close_to_tray']) {
    quit.begin({ silent: false });
    return;
  }
  const tray = await hasTray();
  if (!memory.facts().toldAboutTray) {
    // Noted first: closing again while it is being said asks nothing twice.
    memory.change({ toldAboutTray: true });
    const choice = await tellAboutTray(window.native(), tray, parts.texts.t);
    if (choice === 'quit') {
      quit.begin({ silent: false });
      return;
    }
  }
  if (tray) window.hide();
  else window.minimise();
}

/** Everything is written: the process ends. */
export function end({ tray, updates, parts: { log } }: Desktop): void {
  tray.remove();
  const installs = updates.finish((error) => {
    log.error('the update could not be installed, the app starts as it was', { error: String(error) });
    app.relaunch();
    app.quit();
  });
  // The new version may be there before this process has gone.
  if (installs) app.releaseSingleInstanceLock();
  else app.quit();
}
