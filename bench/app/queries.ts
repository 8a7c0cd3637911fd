import type { ElectronApplication, Page } from 'playwright-core';
import type { Bridge } from '../../shared/ipc.ts';
import type { LogCursor, LogFilter, LogPage } from '../../shared/log.ts';
import { COMMON, RARE } from '../log-rows.ts';

declare global { var benchQueries: { on: boolean; asked: number; slowestMs: number } | undefined }

const DAY_MS = 86_400_000;

/** Filters of every kind, alone and together, common and rare. */
export function filters(nowMs: number): readonly LogFilter[] {
  return [
    {}, { outcomes: ['failed'] }, { outcomes: ['failed', 'truncated', 'interrupted'] }, { retriedOnly: true },
    { upstreams: [COMMON.upstream] }, { upstreams: [RARE.upstream] }, { models: [COMMON.model] }, { models: [RARE.model] },
    { clients: [COMMON.client] }, { clients: [RARE.client] }, { keys: [COMMON.key] }, { keys: [RARE.key] },
    { statusClasses: [5] }, { errorCodes: [RARE.errorCode] }, { sessionId: RARE.session }, { from: nowMs - DAY_MS }, { from: nowMs - 20 * DAY_MS, to: nowMs - 19 * DAY_MS },
    { retriedOnly: true, models: [COMMON.model] }, { statusClasses: [5], from: nowMs - DAY_MS }, { upstreams: [COMMON.upstream], errorCodes: [RARE.errorCode] },
    { text: COMMON.word }, { text: RARE.word }, { text: 'nowhere-to-be-found' }, { text: RARE.oneCharacter }, { text: RARE.twoCharacters }, { text: COMMON.twoCharacters, retriedOnly: true },
  ];
}

/** Lets the window ask for pages, numbers, figures and facets, one after the other and searches to their end, until it is stopped. */
export async function startQueries(page: Page): Promise<void> {
  await page.evaluate((all) => {
    const { request } = (window as unknown as { holdfast: Bridge }).holdfast;
    const state = { on: true, asked: 0, slowestMs: 0 };
    globalThis.benchQueries = state;
    const on = (): boolean => state.on;
    const timed = async <T>(ask: () => Promise<T>): Promise<T> => {
      const startMs = performance.now();
      const answer = await ask();
      state.asked += 1;
      state.slowestMs = Math.max(state.slowestMs, performance.now() - startMs);
      return answer;
    };
    const search = async (filter: LogFilter): Promise<void> => {
      let before: LogCursor | null = null;
      do {
        const place = before;
        const found: LogPage = await timed(() => request['requests.list']({ view: 'requests', filter, limit: 200, ...(place !== null && { before: place }) }));
        before = found.next;
      } while (on() && before !== null && filter.text !== undefined);
    };
    const run = async (): Promise<void> => {
      while (on()) {
        for (const filter of all) {
          if (!on()) return;
          await search(filter);
          await timed(() => request['requests.count']({ view: 'overview', filter }));
        }
        await timed(() => request['requests.facets'](null));
        for (const span of ['1h', '24h', '7d', '30d'] as const) await timed(() => request['figures.get']({ span }));
      }
    };
    run().catch((error: unknown) => { state.on = false; throw error; });
  }, filters(Date.now()));
}

/** Stops them; answers how many were answered, and how long the slowest took. */
export async function stopQueries(page: Page): Promise<{ readonly asked: number; readonly slowestMs: number }> {
  return page.evaluate(() => {
    const state = globalThis.benchQueries;
    if (state?.on !== true) throw new Error('the queries have ended by themselves');
    state.on = false;
    return { asked: state.asked, slowestMs: state.slowestMs };
  });
}

/** Makes the app's dialog choose this file. */
export async function chooseFile(app: ElectronApplication, file: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => { dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath }); }, file);
}
