import { Notification } from 'electron';
import type { GatewayProblem } from '../../shared/events.ts';
import type { Translate } from './i18n.ts';

/** Tells by the system that the gateway does not run; a click opens the window. Where there are no notifications the window tells it alone. */
export function notifyProblem(problem: GatewayProblem, t: Translate, open: () => void): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title: t('native.notification.failed_title'), body: problemText(problem, t) });
  notification.on('click', open);
  notification.show();
}

function problemText({ kind, port, owner }: GatewayProblem, t: Translate): string {
  if (kind === 'port_in_use' && owner !== null) return t('native.notification.port_in_use_by', { port, owner });
  return t(`native.notification.${kind}`, { port });
}
