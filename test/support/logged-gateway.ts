import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { compose, type App } from '../../main/compose.ts';
import { systemClock } from '../../main/system/clock.ts';
import { systemRandom } from '../../main/system/random.ts';
import { createSecretFile } from '../../main/system/secret-file.ts';
import type { KeptContents } from '../../shared/contents.ts';
import type { HoldfastDocument } from '../../shared/document.ts';
import type { ExchangeEvent } from '../../shared/events.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import { dataFolder } from './gateway-process.ts';
import { startScriptedUpstream, type ScriptedUpstream } from './scripted-upstream.ts';
import { createSignals } from './signals.ts';
import { recordingLog } from './store-parts.ts';

/** The whole gateway with its store in this process, and what it has logged of each exchange. */
export interface LoggedGateway {
  readonly app: App;
  readonly url: string;
  readonly dataDir: string;
  readonly secretFile: string;
  readonly upstream: ScriptedUpstream;
  readonly log: ReturnType<typeof recordingLog>;
  readonly events: readonly ExchangeEvent[];
  /** Every row so far with its contents, when this many exchanges have ended and all of them are on disk; oldest first. */
  logged(count: number): Promise<readonly { readonly row: ExchangeRow; readonly contents: KeptContents | null }[]>;
  /** Stops it; all files are complete then. */
  close(): Promise<void>;
}

/** Starts it before a scripted upstream, with the document made for its address. Ends with the test. */
export async function startLoggedGateway(documentOf: (upstreamUrl: string) => HoldfastDocument): Promise<LoggedGateway> {
  const upstream = await startScriptedUpstream();
  onTestFinished(() => upstream.close());
  const folder = dataFolder();
  onTestFinished(folder.remove);
  const log = recordingLog();
  const secretFile = join(folder.path, 'secrets.json');
  const composed = await compose({ dataDir: folder.path, secretBox: createSecretFile(secretFile), clock: systemClock, random: systemRandom, log, version: '0.0.0-test', anyPort: true });
  if (composed.kind !== 'open') throw new Error(`the store was refused: ${JSON.stringify(composed)}`);
  const { app } = composed;
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= app.gateway.stop({ graceMs: 0 }).then(() => app.close()));
  onTestFinished(close);
  const outcome = await app.store.importDocument(documentOf(upstream.url));
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.faults));
  const state = await app.start({ port: 0 });
  if (state.status !== 'running') throw new Error(JSON.stringify(state));
  const events: ExchangeEvent[] = [];
  const { changed, when } = createSignals();
  app.gateway.onEvent((event) => {
    events.push(event);
    changed();
  });
  const ended = (): readonly ExchangeRow[] => events.flatMap((event) => (event.kind === 'finished' ? [event.row] : []));
  return {
    app, url: state.url, dataDir: folder.path, secretFile, upstream, log, events, close,
    logged: async (count) => {
      await when(() => ended().length >= count);
      await app.store.flush();
      return Promise.all(ended().map(async ({ id }) => ({ row: (await app.store.logs.get(id))!, contents: await app.store.logs.contents(id) })));
    },
  };
}
