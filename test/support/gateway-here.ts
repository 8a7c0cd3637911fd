import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { compose } from '../../main/compose.ts';
import { systemClock } from '../../main/system/clock.ts';
import { systemRandom } from '../../main/system/random.ts';
import { createSecretFile } from '../../main/system/secret-file.ts';
import type { HoldfastDocument } from '../../shared/document.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import type { SettingKey } from '../../shared/settings.ts';
import { dataFolder, documentFor, quickRetries, TEST_KEY } from './gateway-process.ts';
import { startScriptedUpstream, type Script, type ScriptedUpstream } from './scripted-upstream.ts';
import { createSignals } from './signals.ts';

/** The whole gateway with its store in this process, before a scripted upstream. */
export interface GatewayHere {
  readonly url: string;
  readonly key: string;
  readonly upstream: ScriptedUpstream;
  /** Resolves when a request pauses before a retry. */
  pausing(): Promise<void>;
  /** The rows of all requests so far, when this many have ended and none is running. */
  ended(count: number): Promise<readonly ExchangeRow[]>;
}

/** Starts both; the scripts answer the first attempts, the last one all others too. Everything ends with the test. */
export function startGatewayHere(settings: Partial<Record<SettingKey, unknown>>, ...scripts: readonly Script[]): Promise<GatewayHere> {
  return startWith((url) => documentFor(url, settings), scripts);
}

/** As `startGatewayHere`, with an upstream that is asked with the client's own credential (SPEC 2.4). */
export function startGatewayForClientCredentials(...scripts: readonly Script[]): Promise<GatewayHere> {
  return startWith((url) => documentFor(url, quickRetries(), { kind: 'client' }), scripts);
}

async function startWith(documentOf: (upstreamUrl: string) => HoldfastDocument, scripts: readonly Script[]): Promise<GatewayHere> {
  const upstream = await startScriptedUpstream();
  onTestFinished(() => upstream.close());
  upstream.script(...scripts);
  upstream.otherwise(scripts.at(-1)!);
  const folder = dataFolder();
  onTestFinished(folder.remove);
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const composed = await compose({
    dataDir: folder.path, secretBox: createSecretFile(join(folder.path, 'secrets.json')), clock: systemClock, random: systemRandom, log: silent, version: '0.0.0-test', anyPort: true,
  });
  if (composed.kind !== 'open') throw new Error(`the store was refused: ${JSON.stringify(composed)}`);
  const { app } = composed;
  onTestFinished(async () => {
    await app.gateway.stop({ graceMs: 0 });
    await app.close();
  });
  const outcome = await app.store.importDocument(documentOf(upstream.url));
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.faults));
  const state = await app.start({ port: 0 });
  if (state.status !== 'running') throw new Error(JSON.stringify(state));
  const rows: ExchangeRow[] = [];
  let pauses = 0;
  const { changed, when } = createSignals();
  app.gateway.onEvent((event) => {
    if (event.kind === 'finished') rows.push(event.row);
    if (event.kind === 'pausing') pauses += 1;
    changed();
  });
  return {
    url: state.url,
    key: TEST_KEY,
    upstream,
    pausing: () => when(() => pauses > 0),
    ended: async (count) => {
      await when(() => rows.length >= count && app.gateway.inFlight().length === 0);
      return rows;
    },
  };
}
