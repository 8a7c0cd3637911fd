import { fileURLToPath } from 'node:url';
import { start } from '../process.ts';
import type { Target } from './target.ts';

/** Starts a comparator in front of the mock upstream. */
export async function startBare(name: 'minimal' | 'http-proxy', upstreamUrl: string): Promise<Target> {
  const started = await start('gateway', process.execPath, [fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), upstreamUrl]);
  return { name, url: `http://127.0.0.1:${Number(started.line['port'])}`, pid: started.pid, stop: started.stop };
}
