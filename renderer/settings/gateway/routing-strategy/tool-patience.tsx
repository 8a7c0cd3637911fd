import { IconAlertTriangle, IconCheck, IconCoin } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../data/use-format.ts';

/** Longest hold that Claude Code, Codex and Gemini CLI have been seen to wait through with our keep-alives, s (docs/decisions.md, "as measured"). */
const SEEN_STREAM_SECS = 330;
/** Gemini CLI leaves a request of which it has heard nothing after this, s; for a whole answer nothing can be sent before it. */
const WHOLE_SECS = 60;
/** The request timeout that SDKs come with, s. */
const SDK_SECS = 600;

/** What waiting costs, and whether tools wait as long as the gateway would: known limits, with a warning at those that the wait exceeds. */
export function ToolPatience({ secs }: { /** The wait as it is being set, s. */ readonly secs: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (secs === 0) return <p className="hf-dim hf-small">{t('patience.no_wait')}</p>;
  const n = (value: number) => format.number(value);
  const lines = [
    { name: 'billed', over: null, words: t('retry_wait.billed') },
    { name: 'stream', over: secs > SEEN_STREAM_SECS, words: secs > SEEN_STREAM_SECS ? t('patience.stream_over', { secs: n(SEEN_STREAM_SECS) }) : t('patience.stream', { secs: n(SEEN_STREAM_SECS) }) },
    { name: 'whole', over: secs > WHOLE_SECS, words: secs > WHOLE_SECS ? t('patience.whole_over', { secs: n(WHOLE_SECS), min: n(SDK_SECS / 60) }) : t('patience.whole', { secs: n(WHOLE_SECS), min: n(SDK_SECS / 60) }) },
  ];
  return (
    <ul className="hf-patience" aria-label={t('patience.name')}>
      {lines.map(({ name, over, words }) => (
        <li key={name} className={over === true ? 'hf-patience-over' : over === null ? 'hf-patience-note' : undefined}>
          {over === null ? <IconCoin size={14} aria-hidden /> : over ? <IconAlertTriangle size={14} aria-hidden /> : <IconCheck size={14} aria-hidden />}
          <span>{over === true && <span className="hf-hidden">{t('patience.warning')} </span>}{words}</span>
        </li>
      ))}
    </ul>
  );
}
