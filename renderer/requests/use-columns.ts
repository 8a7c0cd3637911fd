import { useCallback, useState } from 'react';
import { AS_DESIGNED, readChoice, type ColumnChoice } from './column-fit.ts';

const PLACE = 'holdfast.requests.columns';

/** The user's columns, remembered by the window itself: they belong to it and to nothing else, and are known before the first picture. */
export function useColumns(): { readonly choice: ColumnChoice; readonly choose: (choice: ColumnChoice) => void } {
  const [choice, setChoice] = useState(read);
  const choose = useCallback((wanted: ColumnChoice) => {
    setChoice(wanted);
    try {
      if (wanted === AS_DESIGNED) localStorage.removeItem(PLACE);
      else localStorage.setItem(PLACE, JSON.stringify(wanted));
    } catch {
      // Without storage they are kept until the page is left.
    }
  }, []);
  return { choice, choose };
}

function read(): ColumnChoice {
  try {
    return readChoice(localStorage.getItem(PLACE));
  } catch {
    return AS_DESIGNED;
  }
}
