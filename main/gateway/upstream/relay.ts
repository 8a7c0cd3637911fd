import type { UpstreamFailure } from '../../../shared/failure.ts';
import { createByteBuffer } from '../core/byte-buffer.ts';
import type { HoldVerdict } from '../core/opening/hold.ts';
import type { ReadEvent, StreamReader } from '../core/wire-format.ts';
import type { Relayed, Sink } from '../ports.ts';
import type { AnswerHead, AnswerReader, AttemptContext } from './attempt-context.ts';
import { createEventCutter } from './event-cutter.ts';

// Everything has been said; an upstream that forgets to end its stream does not keep the client waiting.
const AFTER_TERMINAL_MS = 2_000;

type Opening = Extract<HoldVerdict, { kind: 'open' }>;

/** Opens a stream and passes it on: held bytes first, then the rest byte for byte, in complete events, at the client's speed (SPEC 5.6, 6.5, 10.3). */
export function openStream(context: AttemptContext, head: AnswerHead, reader: StreamReader, opening: Opening): AnswerReader {
  const { clock, timers, flow } = context;
  const early = createByteBuffer();
  let sink: Sink | null = null;
  let blocked = false;
  let over = false;
  let firstContentMs: number | null = null;
  let terminal = false;
  let failure: UpstreamFailure | null = null;
  let cancelAfterTerminal: () => void = () => undefined;
  let ending: (() => void) | null = null;
  let settle: (relayed: Relayed) => void = () => undefined;

  const note = (events: readonly ReadEvent[], bytes: Uint8Array): void => {
    for (const event of events) {
      if (firstContentMs === null && (event.label === 'content' || event.label === 'end')) contentSeen();
      if (event.error !== null) failure ??= context.toldFailure(event.error, firstContentMs === null ? 'opening' : 'after_content', bytes);
      if (event.terminal && !terminal) {
        terminal = true;
        cancelAfterTerminal = clock.timer(AFTER_TERMINAL_MS, () => { finish('complete', null); });
      }
    }
  };
  const contentSeen = (): void => {
    firstContentMs = clock.now();
    timers.committed();
  };
  const write = (bytes: Uint8Array, boundary: boolean): void => {
    if (sink === null || bytes.byteLength === 0) return;
    if (sink.write(bytes, { boundary, content: firstContentMs !== null, terminal }) || blocked) return;
    blocked = true;
    flow.pause();
    timers.holdIdle();
    sink.whenDrained(() => {
      blocked = false;
      if (over) return;
      timers.releaseIdle();
      flow.resume();
    });
  };
  const cutter = createEventCutter(reader, write);

  /** `broken` names what went wrong when the stream did not end by itself; an end mark or the upstream's own error says more. */
  const finish = (end: 'complete' | 'gone', broken: UpstreamFailure | null): void => {
    if (over) return;
    over = true;
    cancelAfterTerminal();
    const report = context.report();
    flow.drop();
    context.finish();
    const outcome: Pick<Relayed, 'end' | 'failure'> = end === 'gone' ? { end, failure: null }
      : failure !== null ? { end: 'error_event', failure }
      : reader.ended() ? { end: 'complete', failure: null }
      : { end: 'cut', failure: broken ?? context.ownFailure('stream_ended_early', where()) };
    settle({ ...outcome, facts: reader.facts(), position: reader.position(), firstContentMs, report });
  };
  const where = () => (firstContentMs === null ? 'opening' : 'after_content');
  const take = (chunk: Uint8Array): void => {
    const events = reader.push(chunk);
    note(events, chunk);
    if (firstContentMs !== null || events.some((event) => event.label !== 'heartbeat')) timers.feed();
    cutter.take(chunk);
  };
  /** What ends the stream waits until the relay has begun, so that nothing is lost. */
  const whenRelaying = (act: () => void): void => {
    if (sink === null) ending ??= act;
    else act();
  };

  flow.pause();
  timers.holdIdle();
  if (opening.because === 'oversized') contentSeen();
  note(opening.events, opening.complete);
  context.open({
    kind: 'opened', status: head.status, headers: context.headersForClient(head, false), stream: true, whole: null, facts: () => reader.facts(),
    relay: (to) => new Promise((resolve) => {
      settle = resolve;
      sink = to;
      timers.releaseIdle();
      cutter.begin(opening.complete, opening.tail);
      if (early.length > 0) take(early.take());
      if (ending !== null) ending();
      else if (!blocked && !over) flow.resume();
    }),
  });

  return {
    data: (chunk) => {
      if (over) return;
      if (sink === null) early.append(chunk);
      else take(chunk);
    },
    end: () => {
      whenRelaying(() => {
        if (over) return;
        const events = reader.finish();
        note(events, new Uint8Array(0));
        cutter.finish(events.at(-1)?.endByte ?? 0);
        finish('complete', null);
      });
    },
    fail: (fault) => { whenRelaying(() => { finish('complete', context.ownFailure(fault.code === 'body_broken' ? 'stream_broken' : fault.code, where(), fault.detail)); }); },
    expired: (code) => { whenRelaying(() => { finish('complete', context.ownFailure(code, where())); }); },
    letGo: () => undefined,
    gone: () => {
      // The connection is closed at once, whether or not somebody is relaying.
      flow.drop();
      timers.clear();
      whenRelaying(() => { finish('gone', null); });
    },
  };
}
