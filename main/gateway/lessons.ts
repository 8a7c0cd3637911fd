import type { AnswerFacts } from './core/wire-format.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { Opened } from './ports.ts';

/**
 * The answer, with an ear on it: where its sealed item was made is learned, and when it is complete, where its conversation is (SPEC 9.5). That happens before the client
 * has the end of it, because clients ask again as soon as they have read the terminal event, whatever the connection does.
 */
export function learningFrom(exchange: ExchangeContext, upstreamId: string, opened: Opened): Opened {
  const { parts, arrival, conversation } = exchange;
  const learn = (facts: AnswerFacts, complete: boolean): void => {
    if (facts.seal !== undefined) parts.seals.learn(facts.seal, upstreamId);
    if (complete && conversation !== null && arrival.operation === 'generate') parts.affinity.learn(conversation, upstreamId);
  };
  return {
    ...opened,
    relay: async (sink) => {
      let over = false;
      const relayed = await opened.relay({
        write: (bytes, mark) => {
          if (mark.terminal && !over) {
            over = true;
            const facts = opened.facts?.();
            // Only a complete answer has a finish reason.
            if (facts !== undefined) learn(facts, facts.finishReason !== null);
          }
          return sink.write(bytes, mark);
        },
        whenDrained: (resume) => { sink.whenDrained(resume); },
      });
      learn(relayed.facts, relayed.end === 'complete');
      return relayed;
    },
  };
}
