import { afterEach, beforeEach, expect } from 'vitest';
import { anEdge } from './attempts.ts';
import { startScriptedUpstream, type ScriptedUpstream } from './scripted-upstream.ts';

/** A scripted upstream and the edge under test, new for each test of the file; after each, no timer and no connection may be left. */
export function useUpstreamRig(): { readonly upstream: ScriptedUpstream; readonly edge: ReturnType<typeof anEdge> } {
  let upstream: ScriptedUpstream | null = null;
  let edge: ReturnType<typeof anEdge> | null = null;
  const there = <T>(part: T | null): T => {
    if (part === null) throw new Error('only inside a test');
    return part;
  };
  const rig = {
    get upstream() { return there(upstream); },
    get edge() { return there(edge); },
  };
  beforeEach(async () => {
    upstream = await startScriptedUpstream();
    edge = anEdge();
  });
  afterEach(async () => {
    expect(rig.edge.clock.pending(), 'timers left').toBe(0);
    await rig.edge.close();
    await rig.upstream.whenOpen(0);
    expect(rig.edge.openConnections(), 'connections left').toBe(0);
    await rig.upstream.close();
  });
  return rig;
}

/** One turn of the loop after its answer the library takes a connection back for the next request. */
export async function takenBack(): Promise<void> {
  await turns(2);
}

/** Lets bytes that have left a script be read: a few turns of the event loop. */
export async function turns(count = 4): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => { setImmediate(resolve); });
}
