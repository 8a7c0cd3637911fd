import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../shared/settings.ts';
import { useFormat } from '../data/use-format.ts';
import { issueWords } from './issue-words.ts';
import { rangeOf, readNumber, shownOf, type NumberPlace } from './number-place.ts';
import type { SaveResult } from './use-save-with-undo.tsx';

/** What a number field needs; values in stored units. */
export interface NumberDraftParts {
  readonly place: NumberPlace;
  readonly settings: Settings;
  /** In force now. */
  readonly saved: number;
  /** Hears every valid value as it is typed. */
  readonly preview?: ((value: number) => void) | undefined;
  readonly save: (value: number) => Promise<SaveResult>;
}

/** A number while it is edited. */
export interface NumberDraft {
  readonly text: string;
  /** The last valid value, stored units. */
  readonly value: number;
  /** Why the text is refused, once it was meant. */
  readonly refusal: string | null;
  readonly type: (text: string) => void;
  /** Takes over a value without saving it. */
  readonly follow: (value: number) => void;
  /** Saves a value; the text without one. */
  readonly commit: (value?: number) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

/** Binds a text field to a number of the settings: typing previews, Enter and leaving save, Escape takes back, arrows step. */
export function useNumberDraft({ place, settings, saved, preview, save }: NumberDraftParts): NumberDraft {
  const { t } = useTranslation();
  const format = useFormat();
  const [text, setText] = useState(String(shownOf(place, saved)));
  const [value, setValue] = useState(saved);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [seen, setSeen] = useState(saved);
  // Saved here or changed elsewhere: what is in force takes the place of what was typed.
  if (seen !== saved) {
    setSeen(saved);
    setText(String(shownOf(place, saved)));
    setValue(saved);
    setRefusal(null);
  }

  const follow = (next: number) => { setText(String(shownOf(place, next))); setValue(next); setRefusal(null); preview?.(next); };
  const send = async (next: number) => {
    const result = await save(next);
    if (result.ok) return;
    const first = result.issues === 'unreachable' ? undefined : result.issues[0];
    setRefusal(first === undefined ? t('state.error_text') : issueWords(first, t, format));
  };
  const commit = (given?: number) => {
    const reading = given === undefined ? readNumber(text, place, settings) : { ok: true as const, value: given };
    if (!reading.ok) setRefusal(reading.issue.reason === 'not_whole' && place.perUnit !== 1 ? t('setting.too_fine', { given: reading.issue.given }) : issueWords(reading.issue, t, format));
    else if (reading.value !== saved) void send(reading.value);
    else follow(saved);
  };
  return {
    text, value, refusal, follow, commit,
    type: (next) => {
      setText(next);
      setRefusal(null);
      const reading = readNumber(next, place, settings);
      if (reading.ok) { setValue(reading.value); preview?.(reading.value); }
    },
    onKeyDown: (event) => {
      if (event.key === 'Enter') commit();
      if (event.key === 'Escape') { follow(saved); event.stopPropagation(); }
      if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
        event.preventDefault();
        const range = rangeOf(place);
        const step = place.step ?? place.perUnit;
        follow(Math.min(range.max, Math.max(range.min, value + (event.key === 'ArrowUp' ? step : -step))));
      }
    },
  };
}
