import type { Bridge } from '../shared/ipc.ts';

declare global {
  interface Window {
    readonly holdfast: Bridge;
  }
}

/** The one way out of the window, put there by the preload; only hooks named `use-...` call it. */
export function bridge(): Bridge {
  return window.holdfast;
}
