import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { noteUnsaved } from './unsaved.ts';

/** Asks before something typed is thrown away. */
export interface CloseGuard {
  /** Whether the question stands. */
  readonly asking: boolean;
  /** Closes, or asks first when there is something to lose. */
  readonly ask: () => void;
  /** Closes without a question. */
  readonly leave: () => void;
  readonly stay: () => void;
  /** Told by the form whether there is something to lose. */
  readonly follow: (dirty: boolean) => void;
}

/** Guards the closing of an editor. */
export function useCloseGuard(close: () => void): CloseGuard {
  const dirty = useRef(false);
  const [asking, setAsking] = useState(false);
  useEffect(() => () => noteUnsaved(dirty, false), []);
  const follow = (now: boolean) => {
    dirty.current = now;
    noteUnsaved(dirty, now);
  };
  const leave = () => { follow(false); setAsking(false); close(); };
  return {
    asking, leave, follow,
    ask: () => { if (dirty.current && !asking) setAsking(true); else if (!dirty.current) leave(); },
    stay: () => setAsking(false),
  };
}

/** The question itself, in place of the buttons of the editor. */
export function CloseQuestion({ guard }: { readonly guard: CloseGuard }) {
  const { t } = useTranslation();
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <>
      <span role="alert" className="hf-spring">{t('dialog.unsaved')}</span>
      <Button ref={stay} onClick={guard.stay}>{t('dialog.keep_editing')}</Button>
      <Button variant="filled" className="hf-danger" onClick={guard.leave}>{t('dialog.discard')}</Button>
    </>
  );
}
