import type { Notice } from './desktop.ts';

/** A notice in two lines, by the texts of a language. */
export function noticeWords(notice: Notice, t: (key: string, values?: Record<string, string | number>) => string): { readonly title: string; readonly body: string } {
  switch (notice.kind) {
    case 'gateway_failed': {
      const { kind, port, owner } = notice.problem;
      const body = kind === 'port_in_use' && owner !== null ? t('notice.port_in_use_by', { port, owner }) : t(`notice.problem.${kind}`, { port });
      return { title: t('notice.gateway_failed'), body };
    }
    case 'key_rejected': return { title: t('notice.key_rejected', { upstream: notice.upstream }), body: t('notice.key_rejected_body') };
    case 'upstream_down': return { title: t('notice.upstream_down', { upstream: notice.upstream, minutes: notice.minutes }), body: t('notice.upstream_down_body') };
    case 'update_available': return { title: t('notice.update_available', { version: notice.version }), body: t('notice.update_available_body') };
  }
}

/** The page on which a notice is explained. */
export function noticePlace({ kind }: Notice): 'overview' | 'upstreams' | 'about' {
  if (kind === 'gateway_failed') return 'overview';
  return kind === 'update_available' ? 'about' : 'upstreams';
}
