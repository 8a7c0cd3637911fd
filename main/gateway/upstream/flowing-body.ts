import type { Opened, Relayed, Sink } from '../ports.ts';
import { NO_FACTS, NO_POSITION, type AnswerHead, type AnswerReader, type AttemptContext } from './attempt-context.ts';

const WHOLE_MARK = { boundary: true, content: true, terminal: false } as const;

/**
 * Passes a body on as it comes, unread: an answer past 8 MiB (SPEC 5.7), and requests that are not generations (SPEC 1.2). Opens at once;
 * `held` goes out first. A break cuts the answer.
 */
export function openFlowingBody(context: AttemptContext, head: AnswerHead, held: readonly Uint8Array[], sameBody: boolean): AnswerReader {
  const waiting: Uint8Array[] = [...held];
  let sink: Sink | null = null;
  let ending: Pick<Relayed, 'end' | 'failure'> | null = null;
  let settle: (relayed: Relayed) => void = () => undefined;
  const firstContentMs = context.clock.now();

  const write = (to: Sink, chunk: Uint8Array): void => {
    if (to.write(chunk, WHOLE_MARK)) return;
    context.flow.pause();
    context.timers.holdIdle();
    to.whenDrained(() => {
      context.timers.releaseIdle();
      context.flow.resume();
    });
  };
  const over = (end: Relayed['end'], failure: Relayed['failure']): void => {
    ending ??= { end, failure };
    // The connection is closed at once, whether or not somebody is relaying.
    if (ending.end !== 'complete') context.flow.drop();
    context.finish();
    if (sink === null) return;
    settle({ ...ending, facts: NO_FACTS, position: NO_POSITION, firstContentMs, report: context.report() });
  };

  context.flow.pause();
  context.timers.committed();
  context.timers.holdIdle();
  context.open({
    kind: 'opened', status: head.status, headers: context.headersForClient(head, sameBody), stream: false, whole: null,
    relay: (to) => new Promise((resolve) => {
      settle = resolve;
      sink = to;
      context.timers.releaseIdle();
      for (const chunk of waiting.splice(0)) write(to, chunk);
      if (ending === null) context.flow.resume();
      else over(ending.end, ending.failure);
    }),
  } satisfies Opened);

  return {
    data: (chunk) => {
      context.timers.feed();
      if (sink === null) waiting.push(chunk);
      else write(sink, chunk);
    },
    end: () => { over('complete', null); },
    fail: (fault) => { over('cut', context.ownFailure(fault.code, 'after_content', fault.detail)); },
    expired: (code) => { over('cut', context.ownFailure(code, 'after_content')); },
    letGo: () => undefined,
    gone: () => { over('gone', null); },
  };
}
