import { beforeEach, describe, expect, it } from 'vitest';
import { createFirstSteps } from '../../../main/app/first-steps.ts';
import { openMemory } from '../../../main/app/memory.ts';
import type { FirstSteps } from '../../../shared/ipc.ts';
import type { ExchangeRow } from '../../../shared/log.ts';

const warnings: string[] = [];
const log = { info: () => undefined, warn: (message: string) => { warnings.push(message); }, error: () => undefined };
beforeEach(() => { warnings.length = 0; });

/** What the store keeps, as JSON. */
function stateOf(texts: Record<string, string> = {}) {
  return {
    texts,
    get: (key: string): unknown => (texts[key] === undefined ? undefined : JSON.parse(texts[key])),
    set: (key: string, value: unknown) => { texts[key] = JSON.stringify(value); return Promise.resolve(); },
  };
}

describe('what the app remembers', () => {
  it('is there again at the next start', () => {
    const state = stateOf();
    openMemory(state, log).change({ toldAboutTray: true, window: { x: -5, y: 3, width: 1000, height: 700, maximised: true } });
    expect(openMemory(state, log).facts()).toMatchObject({ toldAboutTray: true, copied: false, window: { x: -5, y: 3, width: 1000, height: 700, maximised: true } });
  });

  it.each(['"nonsense"', '[]', 'null', '{"window":{"x":"left"},"copied":1}'])('counts what makes no sense (%s) as never known', (text) => {
    expect(openMemory(stateOf({ app: text }), log).facts()).toEqual({ window: null, toldAboutTray: false, copied: false, requestAnswered: false, stepsDismissed: false, updatesCheckedAt: null, updateTold: null });
  });

  it('keeps what is readable beside something that is not', () => {
    expect(openMemory(stateOf({ app: '{"window":{"x":0.5},"copied":true}' }), log).facts()).toMatchObject({ window: null, copied: true });
  });

  it('stays in force, with a warning, when the disk refuses it', async () => {
    const memory = openMemory({ get: () => undefined, set: () => Promise.reject(new Error('disk full')) }, log);
    memory.change({ copied: true });
    await Promise.resolve();
    await Promise.resolve();
    expect(memory.facts().copied).toBe(true);
    expect(warnings).toHaveLength(1);
  });
});

describe('first steps', () => {
  const finished = (outcome: ExchangeRow['outcome']) => ({ kind: 'finished', id: 'a', row: { outcome } as ExchangeRow } as const);

  it('tick when it has really happened, once, and survive a start', () => {
    const state = stateOf();
    const told: FirstSteps[] = [];
    const steps = createFirstSteps({ memory: openMemory(state, log), hasUpstream: () => false, changed: (now) => { told.push(now); } });
    steps.note(finished('failed'));
    expect(told).toEqual([]);
    steps.note(finished('success'));
    steps.note(finished('success'));
    steps.copied();
    expect(told).toEqual([
      { upstreamAdded: false, copied: false, requestAnswered: true, dismissed: false },
      { upstreamAdded: false, copied: true, requestAnswered: true, dismissed: false },
    ]);
    const again = createFirstSteps({ memory: openMemory(state, log), hasUpstream: () => true, changed: () => undefined });
    expect(again.get()).toEqual({ upstreamAdded: true, copied: true, requestAnswered: true, dismissed: false });
  });
});
