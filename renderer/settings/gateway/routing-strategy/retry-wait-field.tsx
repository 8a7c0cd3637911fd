import { Button, Slider, TextInput } from '@mantine/core';
import { useId, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultSettings, numberRange } from '../../../../shared/settings.ts';
import { useFormat } from '../../../data/use-format.ts';
import { issueWords } from '../../issue-words.ts';
import type { SaveResult } from '../../use-save-with-undo.tsx';
import { readWait } from './retry-wait.ts';

const RANGE = numberRange('gateway.retry_wait_secs');
const DEFAULT_SECS = defaultSettings()['gateway.retry_wait_secs'];

/** The retry wait as slider and field, bound to each other. `preview` hears every valid value, `save` the ones that are meant. */
export function RetryWaitField({ saved, preview, save }: {
  /** Seconds in force now. */
  readonly saved: number;
  readonly preview: (secs: number) => void;
  readonly save: (secs: number) => Promise<SaveResult>;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const note = useId();
  const [text, setText] = useState(String(saved));
  const [slid, setSlid] = useState(saved);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [seen, setSeen] = useState(saved);
  // Saved here or changed elsewhere: what is in force takes the place of what was typed.
  if (seen !== saved) {
    setSeen(saved);
    setText(String(saved));
    setSlid(saved);
    setRefusal(null);
  }

  const follow = (secs: number) => { setText(String(secs)); setSlid(secs); setRefusal(null); preview(secs); };
  const typed = (value: string) => {
    setText(value);
    setRefusal(null);
    const reading = readWait(value);
    if (reading.ok) { setSlid(reading.secs); preview(reading.secs); }
  };
  const commit = async (value: string) => {
    const reading = readWait(value);
    if (!reading.ok) { setRefusal(issueWords(reading.issue, t, format)); return; }
    const result = await save(reading.secs);
    if (result.ok) return;
    const first = result.issues === 'unreachable' ? undefined : result.issues[0];
    setRefusal(first === undefined ? t('state.error_text') : issueWords(first, t, format));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') void commit(text);
    if (event.key === 'Escape') { follow(saved); event.stopPropagation(); }
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      follow(Math.min(RANGE.max, Math.max(RANGE.min, slid + (event.key === 'ArrowUp' ? 1 : -1))));
    }
  };
  const name = t('retry_wait.name');
  return (
    <div className="hf-wait">
      <Slider className="hf-wait-slider" thumbLabel={name} label={null} min={RANGE.min} max={RANGE.max} step={5} value={slid} onChange={follow} onChangeEnd={(secs) => void commit(String(secs))}
        marks={[{ value: RANGE.min, label: t('retry_wait.off') }, { value: DEFAULT_SECS, label: t('retry_wait.default', { secs: format.number(DEFAULT_SECS) }) }, { value: RANGE.max, label: t('unit.s', { n: format.number(RANGE.max) }) }]} />
      <div className="hf-wait-field">
        <TextInput aria-label={t('retry_wait.field')} aria-describedby={note} inputMode="numeric" autoComplete="off" w={104} value={text} error={refusal !== null} rightSection={<span className="hf-dim">{t('retry_wait.unit')}</span>} rightSectionWidth={44} rightSectionPointerEvents="none"
          onChange={(event) => typed(event.currentTarget.value)} onBlur={() => void commit(text)} onKeyDown={onKeyDown} />
        <span className="hf-dim" id={note}>{t('retry_wait.range', { min: format.number(RANGE.min), max: format.number(RANGE.max) })}</span>
        {slid === 0 && refusal === null && <span className="hf-tag">{t('retry_wait.off')}</span>}
        {(saved !== DEFAULT_SECS || slid !== DEFAULT_SECS) && <Button size="compact-xs" onClick={() => { follow(DEFAULT_SECS); void commit(String(DEFAULT_SECS)); }} aria-label={t('retry_wait.reset_to', { secs: format.number(DEFAULT_SECS) })}>{t('retry_wait.reset')}</Button>}
      </div>
      {refusal !== null && <p role="alert" className="hf-refused">{refusal} <Button size="compact-xs" variant="subtle" onClick={() => follow(saved)}>{t('retry_wait.keep', { secs: format.number(saved) })}</Button></p>}
    </div>
  );
}
