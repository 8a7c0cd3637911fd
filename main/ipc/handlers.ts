import { resolvePolicy } from '../../shared/backoff.ts';
import type { GatewayState, InFlight } from '../../shared/events.ts';
import type { ExportOutcome, ExportRequest } from '../../shared/export.ts';
import type { AppInfo, CopyRequest, DemoSent, FirstSteps } from '../../shared/ipc.ts';
import type { LinkTarget } from '../../shared/link.ts';
import { tryRules } from '../gateway/upstream/rule-trial.ts';
import type { PriceBook } from '../prices/price-book.ts';
import type { Store } from '../store/store.ts';
import { createDataHandlers, type DataReach } from './data-handlers.ts';
import { createDesktopHandlers, type DesktopReach } from './desktop-handlers.ts';
import { createEditHandlers, type EditHandlerParts } from './edit-handlers.ts';
import { createKeyHandlers } from './key-handlers.ts';
import { createPriceHandlers } from './price-handlers.ts';
import type { Handlers } from './serve.ts';

/** What the window's requests reach. */
export interface HandlerParts extends EditHandlerParts {
  readonly store: EditHandlerParts['store'] & Pick<Store, 'settings' | 'keys' | 'logStatus'>;
  readonly gateway: EditHandlerParts['gateway'] & {
    state(): GatewayState;
    usePort(port: number): Promise<GatewayState>;
    setAccepting(accepting: boolean): GatewayState;
    inFlight(): readonly InFlight[];
    retryNow(id: string): boolean;
    giveUp(id: string): boolean;
  };
  readonly prices: Pick<PriceBook, 'list' | 'set' | 'remove'>;
  readonly steps: { get(): FirstSteps; copied(): void; dismiss(): void };
  /** Ms since 1970. */
  utc(): number;
  info(): AppInfo;
  readonly writeClipboard: (text: string) => void;
  readonly exports: { start(request: ExportRequest): Promise<ExportOutcome>; cancel(): Promise<void> };
  readonly data: DataReach;
  readonly desktop: DesktopReach;
  sendDemo(): Promise<DemoSent>;
  showDemo(shown: boolean): Promise<boolean>;
  takeLink(): LinkTarget | null;
}

/** The functions behind the window's requests (SPEC 2.3: no secret is among the answers). */
export function createHandlers(parts: HandlerParts): Handlers {
  const { store, gateway, steps } = parts;
  return {
    'app.info': () => parts.info(),
    'gateway.state': () => gateway.state(),
    'gateway.use_port': ({ port }) => gateway.usePort(port),
    'gateway.set_accepting': ({ accepting }) => gateway.setAccepting(accepting),
    ...createKeyHandlers(store.keys),
    'clipboard.copy': (request) => copy(parts, request),
    'settings.all': () => store.config.settings(),
    'settings.set': ({ key, value }) => store.settings.set(key, value),
    'rules.try': (request) => tryRules(request, resolvePolicy(store.config.settings(), null).statuses),
    'requests.list': (query) => store.logs.listText(query),
    'requests.get': ({ id }) => store.logs.get(id),
    'requests.contents': ({ id }) => store.logs.contents(id),
    'logs.clear': async ({ what }) => {
      await store.logs.clear(what);
      return null;
    },
    'requests.count': ({ view, filter }) => store.logs.count(view, filter),
    'requests.facets': () => store.logs.facets(),
    'figures.get': ({ span }) => store.logs.figures(span, parts.utc()),
    'log.status': () => store.logStatus.get(),
    'requests.export': (request) => parts.exports.start(request),
    'requests.export_cancel': async () => {
      await parts.exports.cancel();
      return null;
    },
    'exchanges.in_flight': () => gateway.inFlight(),
    'exchanges.retry_now': ({ id }) => gateway.retryNow(id),
    'exchanges.give_up': ({ id }) => gateway.giveUp(id),
    'upstreams.list': () => parts.upstreams(),
    ...createEditHandlers(parts),
    ...createPriceHandlers(parts.prices),
    ...createDataHandlers(parts.data),
    ...createDesktopHandlers(parts.desktop),
    'first_steps.get': () => steps.get(),
    'first_steps.dismiss': () => {
      steps.dismiss();
      return null;
    },
    'demo.send': () => parts.sendDemo(),
    'demo.set': ({ shown }) => parts.showDemo(shown),
    'link.take': () => parts.takeLink(),
  };
}

/** Puts something on the clipboard; false when it is not there to be copied. A copied address or key is the second first step. */
export function copy({ store, gateway, steps, writeClipboard }: Pick<HandlerParts, 'store' | 'gateway' | 'steps' | 'writeClipboard'>, request: CopyRequest): boolean {
  const text = textOf(store, gateway.state(), request);
  if (text === null) return false;
  writeClipboard(text);
  if (request.what !== 'text') steps.copied();
  return true;
}

function textOf(store: HandlerParts['store'], state: GatewayState, request: CopyRequest): string | null {
  switch (request.what) {
    case 'address': return state.status === 'running' ? state.url : null;
    case 'key': return store.keys.valueOf(request.id);
    case 'text': return request.text;
  }
}
