import { app, powerMonitor } from 'electron';
import type { PageName } from '../../shared/ipc.ts';
import type { EventBridge } from '../ipc/event-bridge.ts';
import { applyAppearance } from './appearance.ts';
import { tellAboutTray } from './dialogs.ts';
import { createKeepAwake } from './keep-awake.ts';
import { notifyProblem } from './notify.ts';
import type { Desktop } from './parts.ts';
import { atMostEvery } from './throttle.ts';

const HEALTH_EVERY_MS = 500;
// A tray menu that is rebuilt with every event of a busy gateway would close under the user's hand.
const REDRAW_EVERY_MS = 500;

/** Carries what the gateway tells to the window, the tray and the first steps; keeps the machine awake while anything is in flight. */
export function followGateway({ parts: { core: { gateway, store }, clock }, window, steps, tray }: Desktop, bridge: EventBridge): void {
  const keepAwake = createKeepAwake();
  const redraw = atMostEvery(clock, REDRAW_EVERY_MS, () => {
    tray.draw();
    keepAwake(gateway.inFlight().length > 0);
  });
  gateway.onEvent((event) => {
    bridge.note(event);
    steps.note(event);
    redraw.soon();
  });
  const tellHealth = atMostEvery(clock, HEALTH_EVERY_MS, () => { if (window.isVisible()) window.send('health.changed', gateway.health()); });
  gateway.onHealth(() => { tellHealth.soon(); });
  store.logStatus.onChange((status) => { window.send('log.status_changed', status); });
  gateway.onState((state) => {
    window.send('gateway.changed', state);
    tray.draw();
  });
}

/** Brings the app in line with the settings, now and whenever they change, and tells the window. */
export function followSettings({ parts: { core: { config, store }, texts, log }, window, endpoint, steps, tray, quit }: Desktop): void {
  const actions = { navigate: (page: PageName) => { window.show(page); }, quit: () => { quit.begin({ silent: false }); } };
  const apply = (): void => {
    applyAppearance(config.settings(), texts, actions);
    tray.draw();
  };
  apply();
  config.onChange((changed) => {
    if (changed.has('settings')) {
      apply();
      window.send('settings.changed', config.settings());
      endpoint.followSettings().catch((error: unknown) => { log.error('the endpoint could not be moved', { error: String(error) }); });
    }
    if (changed.has('upstreams')) {
      window.send('upstreams.changed', config.shownUpstreams());
      steps.upstreamsChanged();
    }
    if (changed.has('routes')) window.send('routes.changed', config.routes());
    if (changed.has('keys')) window.send('keys.changed', store.keys.list());
  });
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
  powerMonitor.on('shutdown', () => { quit.begin({ silent: true }); });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (quit.begun()) quit.hurry();
      else quit.begin({ silent: true });
    });
  }
}

/** Opens the endpoint and then the window, so that the first thing seen is true; tells what has gone wrong. */
export async function openEndpoint({ parts, endpoint, window, tray }: Desktop): Promise<void> {
  const { core: { store }, texts, links, hidden } = parts;
  const state = await endpoint.open();
  tray.draw();
  if (state.status === 'failed' && store.config.settings()['app.notifications'] === 'system') notifyProblem(state.problem, texts.t, () => { window.show(); });
  if (!hidden && !store.config.settings()['app.start_hidden']) window.show();
  // A link shows the window, also of an app that began hidden.
  links.follow((target) => { window.show(target); });
}

/** The user has closed the window: it hides, or the app ends, as the setting says. The first time the app says that it stays. */
export async function closeWindow({ parts, memory, window, quit }: Desktop): Promise<void> {
  if (!parts.core.config.settings()['app.close_to_tray']) {
    quit.begin({ silent: false });
    return;
  }
  if (!memory.facts().toldAboutTray) {
    // Noted first: closing again while it is being said asks nothing twice.
    memory.change({ toldAboutTray: true });
    const choice = await tellAboutTray(window.native(), parts.texts.t);
    if (choice === 'quit') {
      quit.begin({ silent: false });
      return;
    }
  }
  window.hide();
}

/** Everything is written: the process ends. */
export function end({ tray }: Desktop): void {
  tray.remove();
  app.quit();
}
