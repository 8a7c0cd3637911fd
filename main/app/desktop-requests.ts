import { app, clipboard } from 'electron';
import type { AppInfo, DemoSent } from '../../shared/ipc.ts';
import { copy, type HandlerParts } from '../ipc/handlers.ts';
import { DEMO_MODEL, sendDemoRequest } from './demo-request.ts';
import { createDataReach } from './data-requests.ts';
import type { Desktop, DesktopParts } from './parts.ts';
import { systemLanguage } from './system-language.ts';

/** What the window's requests reach in this app. */
export function reachOf(desktop: Desktop): HandlerParts {
  const { parts, endpoint, steps } = desktop;
  const { gateway, store, config, prices } = parts.core;
  return {
    store,
    prices,
    steps,
    gateway: {
      state: () => gateway.state(),
      setAccepting: (accepting) => gateway.setAccepting(accepting),
      usePort: (port) => endpoint.usePort(port),
      inFlight: () => gateway.inFlight(),
      retryNow: (id) => gateway.retryNow(id),
      giveUp: (id) => gateway.giveUp(id),
      health: () => gateway.health(),
      forgetHealth: (id) => { gateway.forgetHealth(id); },
      dryRun: (request) => gateway.dryRun(request),
      test: (upstream, credential) => gateway.test(upstream, credential),
      fetchModels: (upstream, credential) => gateway.fetchModels(upstream, credential),
    },
    utc: () => parts.clock.utc(),
    info: () => appInfo(parts),
    upstreams: () => config.shownUpstreams(),
    writeClipboard: (text) => { void clipboard.writeText(text); },
    exports: desktop.exports,
    desktop: { updates: desktop.updates, takeNotices: () => desktop.notices.take(), loginStart: () => desktop.loginStart.state(), sealSecrets: () => { parts.secretBox.sealAll(); } },
    data: createDataReach(parts, desktop.window, () => appInfo(parts)),
    sendDemo: () => sendDemo(desktop),
    showDemo: (shown) => parts.core.showDemo(shown),
    takeLink: () => desktop.window.takeLink(),
    demo: () => config.upstreams().find(({ preset }) => preset === 'demo') ?? null,
  };
}

/** What the window knows of app and machine. */
export function appInfo({ dataDir, secretBox }: DesktopParts): AppInfo {
  const { platform, versions } = process;
  return {
    version: app.getVersion(),
    platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
    systemLanguage: systemLanguage(),
    versions: { electron: versions.electron, node: versions.node, chromium: versions.chrome },
    dataDir,
    secretBox: secretBox.kind,
    secretsInClear: secretBox.inClear(),
  };
}

/** Copies the first key that can be used; false when there is none. */
export function copyFirstKey(reach: HandlerParts): boolean {
  const key = reach.store.keys.list().find(({ id, disabled }) => !disabled && reach.store.keys.valueOf(id) !== null);
  return key !== undefined && copy(reach, { what: 'key', id: key.id });
}

async function sendDemo({ parts: { core: { gateway, config, store: { keys } } } }: Desktop): Promise<DemoSent> {
  const state = gateway.state();
  if (state.status !== 'running') return { kind: 'failed', reason: 'gateway_not_running' };
  if (!config.upstreams().some(({ preset, enabled }) => preset === 'demo' && enabled)) return { kind: 'failed', reason: 'demo_gone' };
  const key = keys.list().filter(({ disabled }) => !disabled).map(({ id }) => keys.valueOf(id)).find((value) => value !== null);
  return sendDemoRequest({ url: state.url, key: key ?? null, model: DEMO_MODEL, version: app.getVersion() });
}
