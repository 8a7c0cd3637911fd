import { useCallback, useState } from 'react';

/** A choice out of a few that this window keeps over restarts; `first` until one is made, or when what is kept is none of them. */
export function useRemembered<T extends string>(name: string, choices: readonly T[], first: T): readonly [T, (choice: T) => void] {
  const [chosen, setChosen] = useState(() => choices.find((choice) => choice === read(name)) ?? first);
  const choose = useCallback((choice: T) => {
    setChosen(choice);
    try {
      localStorage.setItem(name, choice);
    } catch {
      // Without storage it is kept until the window closes.
    }
  }, [name]);
  return [chosen, choose];
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
