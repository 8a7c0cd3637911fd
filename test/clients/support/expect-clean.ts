import { expect } from 'vitest';
import type { ExchangeRow } from '../../../shared/log.ts';
import { USAGE } from '../../support/answers/provider.ts';
import type { ClientRun } from './run-client.ts';
import type { ClientUpstream } from './upstream.ts';

/** The client saw one good answer: it ended well and said the text once. */
export function expectOneAnswer({ code, stdout, stderr }: ClientRun, text: string): void {
  expect({ code, times: stdout.split(text).length - 1 }, `${stdout}\n${stderr}`).toEqual({ code: 0, times: 1 });
}

/** The row of the request that did the task, after checking that no request came twice: one row for each, all answered, none a client's retry. */
export function mainRow(rows: readonly ExchangeRow[], { main, others }: Pick<ClientUpstream, 'main' | 'others'>): ExchangeRow {
  expect(rows.map(({ outcome, client_retry: retry }) => ({ outcome, ownRetry: (retry ?? 0) > 0 }))).toEqual(rows.map(() => ({ outcome: 'success', ownRetry: false })));
  expect(rows.length).toBe(others.length + 1);
  // The client's bytes are passed on as they are, so its length tells which row it is.
  const row = rows.find(({ request_bytes: bytes }) => bytes === main[0]?.bodyBytes());
  expect(row, JSON.stringify(rows)).toBeDefined();
  expect(row).toMatchObject({ state: 'done', status: 200, streamed: true, attempts: main.length, retries: main.length - 1, output_tokens: USAGE.output, give_up: null });
  return row!;
}
