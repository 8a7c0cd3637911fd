import type { BenchFormat } from './options.ts';
import { nowUs } from './measure.ts';

/** What the mock upstream says in one format. Every event carries the time at which it was made. */
export interface Answers {
  /** A whole answer of about 1 KB. */
  readonly whole: Buffer;
  /** What comes ahead of the first event, and after the last. */
  readonly head: string;
  readonly tail: string;
  event(): string;
}

/** The time of an event inside its text, between signs that stand nowhere else. */
export const STAMP = /@(\d+)@/g;

const stamp = (): string => `@${Math.round(nowUs())}@`;
const PROSE = 'A gateway keeps what it is given until somebody takes it; here nobody has to wait. '.repeat(9);
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const named = (value: { readonly type: string }): string => `event: ${value.type}\n${data(value)}`;
const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

const chunk = (delta: object, finish: string | null, more: object = {}) =>
  ({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }], ...more });
const CHAT_USAGE = { prompt_tokens: 120, completion_tokens: 40, total_tokens: 160 };
const MESSAGE = { id: 'msg_bench', type: 'message', role: 'assistant', model: 'bench' };

/** The answers by format. */
export const ANSWERS: Readonly<Record<BenchFormat, Answers>> = {
  chat: {
    whole: bytes({ id: 'chatcmpl-bench', object: 'chat.completion', created: 1_700_000_000, model: 'bench', choices: [{ index: 0, message: { role: 'assistant', content: PROSE }, finish_reason: 'stop' }], usage: CHAT_USAGE }),
    head: '',
    event: () => data(chunk({ content: stamp() }, null)),
    tail: `${data(chunk({}, 'stop', { usage: CHAT_USAGE }))}data: [DONE]\n\n`,
  },
  anthropic: {
    whole: bytes({ ...MESSAGE, content: [{ type: 'text', text: PROSE }], stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 120, output_tokens: 40 } }),
    head: named({ type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null, usage: { input_tokens: 120, output_tokens: 1 } } } as { type: string })
      + named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as { type: string }),
    event: () => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: stamp() } } as { type: string }),
    tail: named({ type: 'content_block_stop', index: 0 } as { type: string })
      + named({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 40 } } as { type: string })
      + named({ type: 'message_stop' }),
  },
};

/** The model's name tells the mock what to answer, so that it survives every gateway: a whole answer, or this many events at this rate. */
export function modelFor(stream: { readonly events: number; readonly perSec: number } | null): string {
  return stream === null ? 'bench' : `bench-e${stream.events}-r${stream.perSec}`;
}

/** Reads the wish back from the beginning of a request body; null asks for a whole answer. */
export function wishIn(body: string): { readonly events: number; readonly perSec: number } | null {
  const wish = /"bench-e(\d+)-r(\d+)"/.exec(body);
  return wish === null ? null : { events: Number(wish[1]), perSec: Number(wish[2]) };
}
