import type { MenuItemConstructorOptions } from 'electron';
import type { GatewayState, InFlight } from '../../shared/events.ts';
import { assertNever } from '../../shared/assert-never.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import type { Translate } from './i18n.ts';

/** What the tray tells. */
export interface TrayFacts {
  readonly gateway: GatewayState;
  readonly inFlight: readonly InFlight[];
  /** The last requests that failed, newest first. */
  readonly failures: readonly ExchangeRow[];
  /** What the app has to tell and nobody has seen. */
  readonly notices: number;
}

export interface TrayActions {
  open(): void;
  /** Opens the window on the running exchanges. */
  showInFlight(): void;
  /** Opens the window on a request. */
  showRequest(id: string): void;
  copyAddress(): void;
  copyKey(): void;
  setAccepting(accepting: boolean): void;
  quit(): void;
}

/** Requests that are named one by one; more are counted. */
const NAMED = 5;
/** A menu is no place for the whole name of a model. */
const LONGEST_NAME = 40;

/** Which picture the tray shows: the worst of what is true. `closed`: the user lets no new requests in. */
export function trayState({ gateway, inFlight, notices }: TrayFacts): 'running' | 'paused' | 'closed' | 'problem' {
  if (gateway.status === 'failed' || (gateway.status === 'running' && gateway.problem !== null) || notices > 0) return 'problem';
  if (gateway.status === 'running' && gateway.closed === true) return 'closed';
  return pausingOf(inFlight) > 0 ? 'paused' : 'running';
}

/** The state of the gateway in one line. */
export function stateLine(gateway: GatewayState, t: Translate): string {
  switch (gateway.status) {
    case 'running': return t(gateway.closed === true ? 'native.state.closed' : 'native.state.running', { address: gateway.url });
    case 'starting': return t('native.state.starting');
    case 'stopped': return t('native.state.stopped');
    case 'failed': return t('native.state.failed', { port: gateway.problem.port });
    default: return assertNever(gateway);
  }
}

/** How much is going on in one line. */
export function inFlightLine({ inFlight }: TrayFacts, t: Translate): string {
  const running = t('native.tray.in_flight', { count: inFlight.length });
  const pausing = pausingOf(inFlight);
  return pausing === 0 ? running : t('native.tray.with_pausing', { running, waiting: t('native.tray.pausing', { count: pausing }) });
}

/** The tray's menu. */
export function trayMenu(facts: TrayFacts, actions: TrayActions, t: Translate): MenuItemConstructorOptions[] {
  const { gateway, inFlight, failures } = facts;
  const reachable = gateway.status === 'running';
  const closed = reachable && gateway.closed === true;
  return [
    { label: stateLine(gateway, t), enabled: false },
    inFlight.length === 0 ? { label: inFlightLine(facts, t), enabled: false } : { label: inFlightLine(facts, t), submenu: inFlightItems(inFlight, actions, t) },
    failures.length === 0
      ? { label: t('native.tray.no_failures'), enabled: false }
      : { label: t('native.tray.failures'), submenu: failures.map((row) => ({ label: failureLine(row, t), click: () => { actions.showRequest(row.id); } })) },
    { type: 'separator' },
    { label: t('native.tray.open'), click: () => { actions.open(); } },
    { label: reachable ? t('native.tray.copy_address_of', { address: gateway.url }) : t('native.tray.copy_address'), enabled: reachable, click: () => { actions.copyAddress(); } },
    { label: t('native.tray.copy_key'), click: () => { actions.copyKey(); } },
    { label: t('native.pause_accepting'), type: 'checkbox', checked: closed, enabled: reachable, click: () => { actions.setAccepting(closed); } },
    { type: 'separator' },
    { label: t('native.tray.quit'), click: () => { actions.quit(); } },
  ];
}

function inFlightItems(inFlight: readonly InFlight[], actions: TrayActions, t: Translate): MenuItemConstructorOptions[] {
  const oldestFirst = [...inFlight].sort((a, b) => a.row.started_at - b.row.started_at);
  const named = oldestFirst.slice(0, NAMED).map(({ row, state }) => ({ label: t(`native.tray.request_${state}`, namesOf(row, t)), click: () => { actions.showRequest(row.id); } }));
  const more = inFlight.length - named.length;
  return [...named, ...(more > 0 ? [{ label: t('native.tray.more', { count: more }), click: () => { actions.showInFlight(); } }] : [])];
}

function failureLine(row: ExchangeRow, t: Translate): string {
  return t('native.tray.failure', { ...namesOf(row, t), what: row.error_code ?? String(row.status ?? '') });
}

function namesOf({ client, model_asked: model }: ExchangeRow, t: Translate): { client: string; model: string } {
  const unknown = t('native.quit.unknown');
  return { client: named(client ?? unknown), model: named(model ?? unknown) };
}

// Windows and Linux take an ampersand for the mark of a key.
function named(name: string): string {
  const cut = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
  return cut.replace(/\p{Cc}/gu, ' ').replaceAll('&', '&&');
}

function pausingOf(inFlight: readonly InFlight[]): number {
  return inFlight.filter(({ state }) => state === 'pausing').length;
}
