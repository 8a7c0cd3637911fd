import type { Task } from 'electron';
import { LINK_SCHEME } from './links.ts';
import type { Translate } from './i18n.ts';

/** What the task bar of Windows offers for the app: each is a start with a link, which a running app follows. */
export function jumpTasks(executable: string, t: Translate): Task[] {
  const task = (title: string, path: string): Task => ({ program: executable, arguments: `-- ${LINK_SCHEME}://${path}`, iconPath: executable, iconIndex: 0, title, description: title });
  return [task(t('native.tray.open'), 'overview'), task(t('native.menu.requests'), 'requests'), task(t('native.menu.upstreams'), 'upstreams'), task(t('native.menu.settings'), 'settings')];
}
