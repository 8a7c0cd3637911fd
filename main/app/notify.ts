import { Notification } from 'electron';
import type { Notice } from '../../shared/desktop.ts';
import type { LinkTarget } from '../../shared/link.ts';
import { noticePlace, noticeWords } from '../../shared/notice-words.ts';
import type { Translate } from './i18n.ts';

// A notification that nothing holds is collected as garbage, and its click leads nowhere. The oldest is let go.
const shown = new Set<Notification>();
const MOST_SHOWN = 20;

/** Tells by the system; a click opens the page that explains it. False where there are no notifications. */
export function tellBySystem(notice: Notice, t: Translate, open: (target: LinkTarget) => void): boolean {
  if (!Notification.isSupported()) return false;
  const notification = new Notification(noticeWords(notice, t));
  for (const oldest of shown) if (shown.size >= MOST_SHOWN) shown.delete(oldest);
  shown.add(notification);
  notification.on('click', () => {
    shown.delete(notification);
    const place = noticePlace(notice);
    open(place === 'about' ? { page: 'settings', section: place } : { page: place });
  });
  notification.show();
  return true;
}
