import { ActionIcon, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SEARCH_ASKED } from '../ui/search-asked.ts';

const MOST = 200;

/** The free text; `/` comes here from anywhere on the page, Esc clears it and then leaves. Each change searches at once, and the search before it ends. */
export function SearchField({ text, change, leave }: { readonly text: string; readonly change: (text: string) => void; readonly leave: () => void }) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState({ typed: text, composing: false });
  // What is typed differs by blanks at its ends, or is not a word yet; anything else was changed elsewhere.
  const shown = draft.composing || draft.typed.trim() === text ? draft.typed : text;
  const come = useCallback(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement | null;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || at?.closest('input, textarea, select, [contenteditable=true], [role=dialog]') != null) return;
      event.preventDefault();
      come();
    };
    const onAsked = (event: Event) => {
      event.preventDefault();
      come();
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener(SEARCH_ASKED, onAsked);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener(SEARCH_ASKED, onAsked);
    };
  }, [come]);
  const type = (typed: string, composing: boolean) => {
    setDraft({ typed, composing });
    if (!composing && typed.trim() !== text) change(typed.trim());
  };
  return (
    <TextInput ref={field} className="hf-search" size="xs" role="searchbox" maxLength={MOST} value={shown} placeholder={t('search.placeholder')} aria-label={t('search.label')} aria-keyshortcuts="/"
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={shown === '' ? <kbd className="hf-key-hint" aria-hidden="true">/</kbd> : <ActionIcon size="sm" aria-label={t('search.clear')} onClick={() => { type('', false); field.current?.focus(); }}><IconX size={13} aria-hidden /></ActionIcon>}
      onChange={(event) => type(event.currentTarget.value, draft.composing)}
      onCompositionStart={(event) => setDraft({ typed: event.currentTarget.value, composing: true })}
      onCompositionEnd={(event) => type(event.currentTarget.value, false)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Escape' && shown !== '') type('', false);
        else if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') leave();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }} />
  );
}
