import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { i18n } from 'i18next';
import { useEffect } from 'react';
import type { Notice } from '../../shared/desktop.ts';
import type { LinkTarget } from '../../shared/link.ts';
import { noticePlace, noticeWords } from '../../shared/notice-words.ts';
import { bridge } from '../bridge.ts';

/** Shows what the app has to tell as toasts that stay until they are closed; null while the window has no words yet. The gateway's own failure has a banner on every page. */
export function useTold(texts: i18n | null, follow: (target: LinkTarget) => void): void {
  useEffect(() => {
    if (texts === null) return undefined;
    const { on, request } = bridge();
    const take = (): void => {
      request['notices.take'](null).then((told) => {
        for (const notice of told) if (notice.kind !== 'gateway_failed') show(notice, texts, follow);
      }, () => undefined);
    };
    const stop = on['notices.waiting'](take);
    take();
    return stop;
  }, [texts, follow]);
}

function show(notice: Notice, texts: i18n, follow: (target: LinkTarget) => void): void {
  const { title, body } = noticeWords(notice, (key, values) => texts.t(key, { ...values }));
  const place = noticePlace(notice);
  const id = `${notice.kind} ${'upstreamId' in notice ? notice.upstreamId : ''}`;
  const go = (): void => {
    notifications.hide(id);
    follow(place === 'about' ? { page: 'settings', section: place } : { page: place });
  };
  notifications.hide(id);
  notifications.show({
    id, title, autoClose: false, closeButtonProps: { 'aria-label': texts.t('dialog.close') }, color: notice.kind === 'update_available' ? 'blue' : 'orange',
    message: <span className="hf-saved"><span>{body}</span><Button size="compact-xs" onClick={go}>{texts.t('notice.show')}</Button></span>,
  });
}
