import { useTranslation } from 'react-i18next';
import { useFormat } from '../data/use-format.ts';
import { useFigures } from '../overview/use-figures.ts';
import { PageHead } from '../ui/card.tsx';

/** The page's name, and how the last day went. */
export function RequestsHead() {
  const { t } = useTranslation();
  const format = useFormat();
  const totals = useFigures('24h').data?.totals;
  if (totals === undefined || totals.requests === 0) return <PageHead title={t('page.requests')}>{t('requests.line')}</PageHead>;
  const { requests, firstTry, rescuedByRetry, rescuedByFailover, failed, cancelled, refused } = totals;
  const share = (key: string, part: number) => (part === 0 ? '' : t(`requests.day.${key}`, { share: format.share(part / requests) }));
  const parts = [
    t('requests.day.all', { count: requests, n: format.number(requests) }), share('first_try', firstTry), share('rescued', rescuedByRetry + rescuedByFailover), share('failed', failed), share('cancelled', cancelled), share('refused', refused),
  ];
  return <PageHead title={t('page.requests')}>{format.commas(parts)}</PageHead>;
}
