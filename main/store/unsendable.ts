import type { LogBatch } from './protocol.ts';

/** A batch without what cannot be handed to another thread (a function in a field): one such row must not take the others with it. */
export function withoutUnsendable(batch: LogBatch): LogBatch {
  return { rows: batch.rows.filter(isSendable), contents: batch.contents.filter(isSendable) };
}

function isSendable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}
