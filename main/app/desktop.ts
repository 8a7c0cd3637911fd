import { app } from 'electron';
import { createEventBridge } from '../ipc/event-bridge.ts';
import { copy, createHandlers } from '../ipc/handlers.ts';
import { serveRequests } from '../ipc/serve.ts';
import { askBeforeQuit } from './dialogs.ts';
import { closeWindow, end, followGateway, followSettings, followSystem, openEndpoint, watchLanguage } from './desktop-life.ts';
import { copyFirstKey, reachOf } from './desktop-requests.ts';
import { createEndpointKeeper } from './endpoint.ts';
import { chooseExportFile } from './export-dialog.ts';
import { createExports } from './export.ts';
import { createFirstSteps } from './first-steps.ts';
import { createLoginStart } from './login-start.ts';
import { systemLoginStarter } from './login-starter.ts';
import { openMemory } from './memory.ts';
import { createNotices } from './notices.ts';
import { tellBySystem } from './notify.ts';
import { APP_ORIGIN } from './page-address.ts';
import type { Desktop, DesktopParts } from './parts.ts';
import { createQuit } from './quit.ts';
import { createRecentFailures } from './recent-failures.ts';
import { runProgram } from './run-program.ts';
import { createTray } from './tray.ts';
import { hasTrayHost } from './tray-host.ts';
import { openUpdateEngine } from './update-source.ts';
import { createUpdates } from './updates.ts';
import { createMainWindow, type MainWindow } from './window.ts';

/** Puts window, tray and menus around the gateway, opens its endpoint and serves the window's requests until the user quits. Electron must be ready. */
export async function startDesktop(parts: DesktopParts): Promise<void> {
  const { core: { store, gateway, close }, core, clock, log, texts } = parts;
  const memory = openMemory(store.appState, log);
  const window: MainWindow = createMainWindow({
    memory, clock, log,
    onClose: () => { void closeWindow(desktop); },
    onVisible: () => {
      bridge.visible();
      notices.visible();
      window.send('health.changed', gateway.health());
    },
    onFocus: () => { lookAtLanguage(); },
    onSessionEnd: () => { quit.hurry(); },
    isEnding: () => quit.begun(),
  });
  const bridge = createEventBridge({ clock, isVisible: () => window.isVisible(), send: (channel, payload) => { window.send(channel, payload); }, inFlight: () => gateway.inFlight() });
  const steps = createFirstSteps({ memory, hasUpstream: () => store.config.upstreams().length > 0, changed: (now) => { window.send('first_steps.changed', now); } });
  const quit = createQuit({
    inFlight: () => gateway.inFlight(),
    stopGateway: (graceMs) => gateway.stop({ graceMs }),
    ask: (running, finished) => askBeforeQuit(window.native(), running, finished, clock.utc(), texts.t),
    close: async () => {
      window.remember();
      updates.stop();
      notices.stop();
      await exports.cancel();
      await close();
    },
    failed: (error) => { log.error('quitting did not go as it should', { error: String(error) }); },
    exit: () => { end(desktop); },
  });
  const exports = createExports({
    clock, log,
    slice: (request, before) => store.logs.exportSlice(request, before),
    count: (filter) => store.logs.exportTotal(filter),
    choose: (offered, as) => chooseExportFile(window.native(), offered, as, texts.t),
    folder: () => app.getPath('downloads'),
    progress: (progress) => { window.send('export.progress', progress); },
  });
  const failures = createRecentFailures();
  const notices = createNotices({
    clock,
    mode: () => core.config.settings()['app.notifications'],
    upstreams: () => core.config.upstreams(),
    health: () => gateway.health(),
    isVisible: () => window.isVisible(),
    waiting: () => { window.send('notices.waiting', null); },
    counted: (count) => {
      app.setBadgeCount(count);
      tray.draw();
    },
    tellBySystem: (notice) => tellBySystem(notice, texts.t, (target) => { window.show(target); }),
  });
  const updates = createUpdates({
    engine: await openUpdateEngine(log), clock, log, memory,
    enabled: () => core.config.settings()['app.check_updates'],
    changed: (state) => { window.send('updates.changed', state); },
    found: ({ version }) => { notices.tell({ kind: 'update_available', version }); },
    quit: () => { quit.begin({ silent: false }); },
  });
  const loginStart = createLoginStart(systemLoginStarter(), (reason) => { log.warn('the start at login could not be changed', { reason }); });
  const tray = createTray({
    log, t: texts.t,
    facts: () => ({ gateway: gateway.state(), inFlight: gateway.inFlight(), failures: failures.list(), notices: notices.count() }),
    actions: {
      open: () => { window.show(); },
      showInFlight: () => { window.show('overview'); },
      showRequest: (id) => { window.show({ page: 'requests', id }); },
      copyAddress: () => { copy(reach, { what: 'address' }); },
      copyKey: () => { copyFirstKey(reach); },
      setAccepting: (accepting) => { gateway.setAccepting(accepting); },
      quit: () => { quit.begin({ silent: false }); },
    },
  });
  const desktop: Desktop = { parts, memory, window, endpoint: createEndpointKeeper(core), steps, quit, tray, exports, notices, failures, updates, loginStart, hasTray: () => hasTrayHost(process.platform, runProgram) };
  const reach = reachOf(desktop);
  followGateway(desktop, bridge);
  const lookAtLanguage = watchLanguage(desktop, followSettings(desktop));
  followSystem(desktop);
  serveRequests({ handlers: createHandlers(reach), log, origin: APP_ORIGIN, page: () => window.native()?.webContents ?? null });
  await openEndpoint(desktop);
  updates.follow();
}
