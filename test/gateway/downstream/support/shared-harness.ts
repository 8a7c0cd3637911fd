import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { defaultSettings, type Settings } from '../../../../shared/settings.ts';
import { answerOk, startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

/** One endpoint for all tests of a file, as new before each of them, with no timer left at the end. `use` is given it before the first test. */
export function sharedHarness(settings: Partial<Settings>, use: (harness: Harness) => void): void {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
    use(harness);
  });
  afterAll(async () => {
    await harness.endpoint.close();
    expect(harness.clock.pending()).toBe(0);
  });
  beforeEach(() => {
    harness.settings = { ...defaultSettings(), ...settings };
    harness.script = answerOk;
    harness.runs.length = harness.refused.length = harness.logged.length = 0;
  });
}

/** Starts endpoints that are closed after the test they were started in. */
export function harnessesOfTests(): typeof startHarness {
  const harnesses: Harness[] = [];
  afterEach(async () => { await Promise.all(harnesses.splice(0).map(({ endpoint }) => endpoint.close())); });
  return async (...options) => {
    const harness = await startHarness(...options);
    harnesses.push(harness);
    return harness;
  };
}

/** Holds every answer from now on until the returned function is called. */
export function holdAnswers(harness: Harness): () => void {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => { release = resolve; });
  const { script } = harness;
  harness.script = async (run) => {
    await gate;
    await script(run);
  };
  return release;
}
