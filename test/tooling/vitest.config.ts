import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One project per folder of tests, so that each can be run and counted by itself. */
const project = (name: string, timeoutMs: number, more: { environment?: 'jsdom'; fileParallelism?: false; setupFiles?: string[] } = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.{ts,tsx}`], testTimeout: timeoutMs, hookTimeout: timeoutMs, ...more },
});

export default defineConfig({
  root,
  plugins: [react()],
  test: {
    // Child processes, not threads: tests start worker threads and native modules of their own.
    pool: 'forks',
    maxWorkers: 2,
    passWithNoTests: true,
    projects: [
      project('unit', 10_000),
      project('laws', 60_000),
      project('gateway', 30_000),
      project('store', 30_000),
      project('headless', 60_000),
      project('renderer', 20_000, { environment: 'jsdom' }),
      project('tooling', 120_000),
      // One window at a time: these share one display and two cores.
      project('e2e', 120_000, { fileParallelism: false }),
      project('package', 120_000, { fileParallelism: false }),
      project('clients', 600_000, { fileParallelism: false }),
    ],
  },
});
