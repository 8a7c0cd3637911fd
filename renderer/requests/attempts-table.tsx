import { IconCoin } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AttemptRow } from '../../shared/log.ts';
import { useFormat } from '../data/use-format.ts';
import { maybeBilled, shortReason } from './sentence.ts';

/** Each attempt with its result, its length and the pause before it. */
export function AttemptsTable({ attempts }: { readonly attempts: readonly AttemptRow[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const billed = attempts.some(maybeBilled);
  return (
    <>
      <table className="hf-attempts">
        <thead>
          <tr><th scope="col" className="hf-num">{t('attempt.n')}</th><th scope="col">{t('column.upstream')}</th><th scope="col">{t('attempt.result')}</th><th scope="col" className="hf-num">{t('attempt.pause_before')}</th><th scope="col" className="hf-num">{t('attempt.took')}</th></tr>
        </thead>
        <tbody>
          {attempts.map((attempt) => (
            <tr key={attempt.n}>
              <td className="hf-num">{attempt.n}</td>
              <td title={`${attempt.upstream}: ${attempt.model}`}>{attempt.upstream}</td>
              <td title={attempt.message ?? undefined}>
                {attempt.outcome === 'failed' ? shortReason(attempt, t) : t(`attempt.outcome.${attempt.outcome}`)}
                {attempt.resent && <span className="hf-dim"> · {t('attempt.resent')}</span>}
                {attempt.bypass && <span className="hf-dim"> · {t('attempt.bypass')}</span>}
                {maybeBilled(attempt) && <span title={t('attempt.billed')}> <IconCoin size={13} aria-label={t('attempt.billed')} className="hf-coin" /></span>}
              </td>
              <td className="hf-num">{attempt.pause_ms === null ? <span className="hf-faint">{t('value.none')}</span> : format.cell(attempt.pause_ms)}</td>
              <td className="hf-num">{format.cell(attempt.duration_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {billed && <p className="hf-dim hf-small hf-row hf-note"><IconCoin size={13} aria-hidden className="hf-coin" />{t('attempt.billed_note')}</p>}
    </>
  );
}
