import { Button } from '@mantine/core';
import { IconCoin } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AttemptRow } from '../../shared/log.ts';
import { useFormat } from '../data/use-format.ts';
import { maybeBilled, shortReason } from './sentence.ts';

/** Of more attempts than twice this, only so many of the first and the last stand there at first. */
const ENDS = 10;

/** Each attempt with its result, its length and the pause before it. */
export function AttemptsTable({ attempts }: { readonly attempts: readonly AttemptRow[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [all, setAll] = useState(false);
  const billed = attempts.some(maybeBilled);
  const folded = !all && attempts.length > 2 * ENDS + 2;
  const shown = folded ? [...attempts.slice(0, ENDS), ...attempts.slice(-ENDS)] : attempts;
  return (
    <>
      <table className="hf-attempts">
        <thead>
          <tr><th scope="col" className="hf-num">{t('attempt.n')}</th><th scope="col">{t('column.upstream')}</th><th scope="col">{t('attempt.result')}</th><th scope="col" className="hf-num">{t('attempt.pause_before')}</th><th scope="col" className="hf-num">{t('attempt.took')}</th></tr>
        </thead>
        <tbody>
          {shown.map((attempt, index) => {
            const missing = attempt.n - (shown[index - 1]?.n ?? attempt.n - 1) - 1;
            return (
              <Fragment key={attempt.n}>
                {missing > 0 && <tr><td colSpan={5} className="hf-dim hf-attempts-gap">{folded && index === ENDS ? t('attempt.folded', { count: missing, n: format.number(missing) }) : t('attempt.missing', { count: missing, n: format.number(missing) })}</td></tr>}
                <Line attempt={attempt} />
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {folded && <Button onClick={() => setAll(true)}>{t('attempt.show_all', { count: attempts.length, n: format.number(attempts.length) })}</Button>}
      {billed && <p className="hf-dim hf-small hf-row hf-note"><IconCoin size={13} aria-hidden className="hf-coin" />{t('attempt.billed_note')}</p>}
    </>
  );
}

function Line({ attempt }: { readonly attempt: AttemptRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <tr>
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
  );
}
