import { TEST_STEPS, type TestReason, type TestStep, type TestStepName, type UpstreamTest } from '../../../../shared/upstream-test.ts';

/** What a test has found so far, step by step, each with the time since the one before. */
export interface Findings {
  has(step: TestStepName): boolean;
  /** `reason` is a remark. The first word about a step stands. */
  pass(step: TestStepName, status?: number | null, reason?: TestReason | null): void;
  fail(step: TestStepName, reason: TestReason, detail: string | null, status?: number | null): void;
  /** Passed by, though it was reached. */
  skip(step: TestStepName, reason: TestReason, detail?: string | null, status?: number | null): void;
  /** `models` null: there is no list. `via` is the proxy's host. */
  finish(models: readonly string[] | null, via: string | null): UpstreamTest;
}

/** `nowMs` is monotonic; the first step begins now. */
export function createFindings(nowMs: () => number): Findings {
  const found = new Map<TestStepName, TestStep>();
  let lastMs = nowMs();
  const lap = (): number => {
    const tookMs = nowMs() - lastMs;
    lastMs += tookMs;
    return Math.max(0, Math.round(tookMs * 10) / 10);
  };
  const put = (result: TestStep): void => { if (!found.has(result.step)) found.set(result.step, result); };
  return {
    has: (step) => found.has(step),
    pass: (step, status = null, reason = null) => { put({ step, state: 'passed', tookMs: lap(), reason, detail: null, status }); },
    fail: (step, reason, detail, status = null) => { put({ step, state: 'failed', tookMs: lap(), reason, detail, status }); },
    skip: (step, reason, detail = null, status = null) => { put({ step, state: 'skipped', tookMs: null, reason, detail, status }); },
    finish: (models, via) => {
      // What was passed by on the way was not needed, what comes after the last word was not reached.
      const last = Math.max(-1, ...[...found.keys()].map((step) => TEST_STEPS.indexOf(step)));
      const steps = TEST_STEPS.map((step, place): TestStep => found.get(step)
        ?? { step, state: 'skipped', tookMs: null, reason: place < last ? 'not_needed' : 'not_reached', detail: null, status: null });
      return { ok: steps.every(({ state }) => state !== 'failed'), steps, models, via };
    },
  };
}
