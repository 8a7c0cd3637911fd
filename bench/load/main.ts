// The load client, a process of its own for each run: `node bench/load/main.ts JOB`. Prints its findings as one JSON line.
import { assertNever } from '../../shared/assert-never.ts';
import type { Findings, Job } from './job.ts';
import { runFirstEvent } from './first-event.ts';
import { runStreams } from './streams.ts';
import { runWhole } from './whole.ts';

function run(job: Job): Promise<Findings> {
  switch (job.work.kind) {
    case 'whole': return runWhole(job, job.work);
    case 'first_event': return runFirstEvent(job, job.work);
    case 'streams': return runStreams(job, job.work);
    default: return assertNever(job.work);
  }
}

const findings = await run(JSON.parse(process.argv[2] ?? '') as Job);
process.stdout.write(`${JSON.stringify(findings)}\n`, () => { process.exit(0); });
