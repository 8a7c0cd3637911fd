import { powerSaveBlocker } from 'electron';

/** Asks the OS not to slow the app down while anything is in flight (SPEC 8.8); takes the request back when nothing is. */
export function createKeepAwake(): (busy: boolean) => void {
  let blocker: number | null = null;
  return (busy) => {
    if (busy && blocker === null) {
      blocker = powerSaveBlocker.start('prevent-app-suspension');
    } else if (!busy && blocker !== null) {
      powerSaveBlocker.stop(blocker);
      blocker = null;
    }
  };
}
