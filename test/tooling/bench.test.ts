// The benchmark measures what it says it measures. No test looks at how fast anything is.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Findings, Job } from '../../bench/load/job.ts';
import { readOptions } from '../../bench/options.ts';
import { start } from '../../bench/process.ts';
import { report } from '../../bench/report.ts';
import { runLoad, type Run } from '../../bench/suite.ts';
import { startBare } from '../../bench/targets/bare.ts';
import type { Work, WorkName } from '../../bench/works.ts';

const finding = (more: Partial<Findings>): Findings => ({
  timeUs: { p50: 1_000, p90: 2_000, p99: 3_000 }, count: 100, perSec: 1_000, broken: 0, cpuUsEach: 50, cores: { gateway: 0.5, mock: 0.1, client: 0.1 }, addedMib: 10, ...more,
});
const run = (work: WorkName, target: string, more: Partial<Findings>, repetition = 1): Run => ({ work, target, repetition, findings: finding(more) });

it.each(['chat', 'anthropic'] as const)('gets whole answers and every event of every stream through a bare gateway (%s)', async (format) => {
  const mock = await start('others', process.execPath, [fileURLToPath(new URL('../../bench/upstream.ts', import.meta.url))]);
  const target = await startBare('minimal', `http://127.0.0.1:${Number(mock.line['port'])}`);
  const works: Work[] = [
    { kind: 'whole', atOnce: 2, bodyBytes: 2_048, secs: 0.3 },
    { kind: 'first_event', count: 5, bodyBytes: 100_000 },
    { kind: 'streams', streams: 3, eventsPerSec: 20, bodyBytes: 2_048, secs: 0.5 },
  ];
  try {
    for (const work of works) {
      const job: Job = { work, url: target.url, format, pid: target.pid, mockPid: mock.pid, idleMib: 1 };
      const findings = await runLoad(job);
      expect(findings).toMatchObject({ broken: 0 });
      expect(findings!.count).toBeGreaterThan(4);
      expect(findings!.timeUs.p50).toBeGreaterThan(0);
      expect(findings!.timeUs.p50).toBeLessThan(10_000_000);
    }
  } finally {
    await Promise.all([target.stop(), mock.stop()]);
  }
});

it('says broken when nobody answers', async () => {
  const work: Work = { kind: 'first_event', count: 2, bodyBytes: 2_048 };
  const findings = await runLoad({ work, url: 'http://127.0.0.1:9', format: 'chat', pid: null, mockPid: process.pid, idleMib: null });
  expect(findings).toMatchObject({ count: 0, broken: 2 });
});

it('judges by medians against the comparators of the same run', () => {
  const runs = [
    run('whole-64', 'minimal', { cpuUsEach: 50 }), run('whole-64', 'http-proxy', { perSec: 1_000 }),
    run('whole-64', 'product', { cpuUsEach: 100, perSec: 700 }), run('whole-64', 'product', { cpuUsEach: 120, perSec: 900 }, 2), run('whole-64', 'product', { cpuUsEach: 900, perSec: 100 }, 3),
  ];
  const text = report(runs);
  expect(text).toContain('| whole-64 | product | CPU per request at most 2.5 x minimal | 2.40 x | yes |');
  expect(text).toContain('| whole-64 | product | throughput at least 0.75 x http-proxy | 0.70 x | **no** |');
});

it('does not judge what it has not measured', () => {
  const text = report([run('first-event', 'product', {})]);
  expect(text).toContain('| first-event | product | p50 at most 1.4 x minimal | unknown | ? |');
});

it('tells what is wrong with a command line', () => {
  expect(readOptions(['--works', 'nothing'])).toContain('there is no "nothing"');
  expect(readOptions(['--repetitions', '0'])).toContain('--repetitions');
  expect(readOptions(['--quick'])).toMatchObject({ repetitions: 1, minutes: 2 });
  expect(readOptions(['--help'])).toBeNull();
});
