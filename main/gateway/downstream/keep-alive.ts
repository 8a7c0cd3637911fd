import type { FormatName } from '../../../shared/format.ts';

/** After so much holding, data events come along (SPEC 6.3). */
export const DATA_EVENT_AFTER_MS = 120_000;
/** After content, anthropic clients get a ping after this silence (SPEC 6.3). */
export const PING_SILENCE_MS = 15_000;

/** Who is kept waiting. */
export interface WaitingClient {
  readonly format: FormatName;
  /** Codex counts events, not bytes. */
  readonly codex: boolean;
}

const COMMENT = Buffer.from(': keep-alive\n\n');
const PING = Buffer.from('event: ping\ndata: {"type":"ping"}\n\n');
const COMMENT_AND_PING = Buffer.concat([COMMENT, PING]);
const COMMENT_AND_CODEX_EVENT = Buffer.concat([COMMENT, Buffer.from('event: keepalive\ndata: {"type":"keepalive"}\n\n')]);
const EMPTY_GEMINI_CHUNK = Buffer.from('data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}\r\n\r\n');

/** What is written to a client of a stream that waits for its first content; null when this client must get nothing yet. */
export function holdingKeepAlive(client: WaitingClient, heldMs: number): Uint8Array | null {
  const late = heldMs >= DATA_EVENT_AFTER_MS;
  switch (client.format) {
    case 'anthropic': return late ? COMMENT_AND_PING : COMMENT;
    case 'responses': return late && client.codex ? COMMENT_AND_CODEX_EVENT : COMMENT;
    case 'chat': return COMMENT;
    // Their SDKs take every line for data.
    case 'gemini': return late ? EMPTY_GEMINI_CHUNK : null;
  }
}

/** What is written between events after content; null for clients that get nothing then. */
export function contentKeepAlive(client: WaitingClient): Uint8Array | null {
  return client.format === 'anthropic' ? PING : null;
}
