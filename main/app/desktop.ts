import { app } from 'electron';
import { createEventBridge } from '../ipc/event-bridge.ts';
import { copy, createHandlers } from '../ipc/handlers.ts';
import { serveRequests } from '../ipc/serve.ts';
import { askBeforeQuit } from './dialogs.ts';
import { closeWindow, end, followGateway, followSettings, followSystem, openEndpoint } from './desktop-life.ts';
import { copyFirstKey, reachOf } from './desktop-requests.ts';
import { createEndpointKeeper } from './endpoint.ts';
import { chooseExportFile } from './export-dialog.ts';
import { createExports } from './export.ts';
import { createFirstSteps } from './first-steps.ts';
import { openMemory } from './memory.ts';
import { APP_ORIGIN } from './page-address.ts';
import type { Desktop, DesktopParts } from './parts.ts';
import { createQuit } from './quit.ts';
import { createTray } from './tray.ts';
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
      window.send('health.changed', gateway.health());
    },
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
  const tray = createTray({
    log, t: texts.t,
    facts: () => ({ gateway: gateway.state(), inFlight: gateway.inFlight().length, pausing: gateway.inFlight().filter(({ state }) => state === 'pausing').length }),
    actions: {
      open: () => { window.show(); },
      showInFlight: () => { window.show('overview'); },
      copyAddress: () => { copy(reach, { what: 'address' }); },
      copyKey: () => { copyFirstKey(reach); },
      quit: () => { quit.begin({ silent: false }); },
    },
  });
  const desktop: Desktop = { parts, memory, window, endpoint: createEndpointKeeper(core), steps, quit, tray, exports };
  const reach = reachOf(desktop);
  followGateway(desktop, bridge);
  followSettings(desktop);
  followSystem(desktop);
  serveRequests({ handlers: createHandlers(reach), log, origin: APP_ORIGIN, page: () => window.native()?.webContents ?? null });
  await openEndpoint(desktop);
}
