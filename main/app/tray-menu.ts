import type { MenuItemConstructorOptions } from 'electron';
import type { GatewayState } from '../../shared/events.ts';
import { assertNever } from '../../shared/assert-never.ts';
import type { Translate } from './i18n.ts';

/** What the tray tells. */
export interface TrayFacts {
  readonly gateway: GatewayState;
  readonly inFlight: number;
  /** Of those, how many wait for a retry. */
  readonly pausing: number;
}

export interface TrayActions {
  open(): void;
  /** Opens the window on the running exchanges. */
  showInFlight(): void;
  copyAddress(): void;
  copyKey(): void;
  quit(): void;
}

/** Which picture the tray shows: the worst of what is true. */
export function trayState({ gateway, pausing }: TrayFacts): 'running' | 'paused' | 'problem' {
  if (gateway.status === 'failed' || (gateway.status === 'running' && gateway.problem !== null)) return 'problem';
  return pausing > 0 ? 'paused' : 'running';
}

/** The state of the gateway in one line. */
export function stateLine(gateway: GatewayState, t: Translate): string {
  switch (gateway.status) {
    case 'running': return t('native.state.running', { address: gateway.url });
    case 'starting': return t('native.state.starting');
    case 'stopped': return t('native.state.stopped');
    case 'failed': return t('native.state.failed', { port: gateway.problem.port });
    default: return assertNever(gateway);
  }
}

/** How much is going on in one line. */
export function inFlightLine({ inFlight, pausing }: TrayFacts, t: Translate): string {
  const running = t('native.tray.in_flight', { count: inFlight });
  return pausing === 0 ? running : t('native.tray.with_pausing', { running, waiting: t('native.tray.pausing', { count: pausing }) });
}

/** The tray's menu. */
export function trayMenu(facts: TrayFacts, actions: TrayActions, t: Translate): MenuItemConstructorOptions[] {
  const reachable = facts.gateway.status === 'running';
  return [
    { label: stateLine(facts.gateway, t), enabled: false },
    { label: inFlightLine(facts, t), enabled: facts.inFlight > 0, click: () => { actions.showInFlight(); } },
    { type: 'separator' },
    { label: t('native.tray.open'), click: () => { actions.open(); } },
    { label: t('native.tray.copy_address'), enabled: reachable, click: () => { actions.copyAddress(); } },
    { label: t('native.tray.copy_key'), click: () => { actions.copyKey(); } },
    { type: 'separator' },
    { label: t('native.tray.quit'), click: () => { actions.quit(); } },
  ];
}
