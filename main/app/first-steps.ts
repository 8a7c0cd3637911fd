import type { ExchangeEvent } from '../../shared/events.ts';
import type { FirstSteps } from '../../shared/ipc.ts';
import type { Memory } from './memory.ts';

export interface FirstStepsParts {
  readonly memory: Memory;
  /** Whether the user has an upstream of their own. */
  readonly hasUpstream: () => boolean;
  /** The steps are not what they were. */
  readonly changed: (steps: FirstSteps) => void;
}

/** Keeps the three steps of the first start (UI.md); each ticks itself when it has really happened. */
export interface FirstStepsKeeper {
  get(): FirstSteps;
  /** The address or a key was copied. */
  copied(): void;
  note(event: ExchangeEvent): void;
  upstreamsChanged(): void;
  dismiss(): void;
}

/** Makes the keeper; what happened before this start comes from the memory. */
export function createFirstSteps({ memory, hasUpstream, changed }: FirstStepsParts): FirstStepsKeeper {
  const get = (): FirstSteps => {
    const { copied, requestAnswered, stepsDismissed } = memory.facts();
    return { upstreamAdded: hasUpstream(), copied, requestAnswered, dismissed: stepsDismissed };
  };
  const tick = (part: Parameters<Memory['change']>[0]): void => {
    const before = JSON.stringify(get());
    memory.change(part);
    const now = get();
    if (JSON.stringify(now) !== before) changed(now);
  };
  return {
    get,
    copied: () => { tick({ copied: true }); },
    note(event) {
      if (event.kind === 'finished' && event.row.outcome === 'success') tick({ requestAnswered: true });
    },
    upstreamsChanged: () => { changed(get()); },
    dismiss: () => { tick({ stepsDismissed: true }); },
  };
}
