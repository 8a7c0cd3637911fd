import type { MessagePort } from 'node:worker_threads';
import type { AnswerMessage, CallMessage, Calls, Handlers } from './protocol.ts';

/** Answers calls inside a worker, in the order they come but for those whose handler promises an answer for later. A handler that throws or rejects answers with the reason and the worker goes on; `close` ends it. */
export function serveCalls<T extends Calls<T>>(port: MessagePort, handlers: Handlers<T>): void {
  port.on('message', ({ id, name, argument }: CallMessage) => {
    const say = (message: AnswerMessage): void => { port.postMessage(message); };
    const fail = (error: unknown): void => { say({ id, ok: false, reason: error instanceof Error ? error.message : String(error) }); };
    try {
      const answer = handlers[name as keyof T](argument);
      if (answer instanceof Promise) answer.then((later: unknown) => { say({ id, ok: true, answer: later }); }).catch(fail);
      else say({ id, ok: true, answer });
    } catch (error) {
      fail(error);
    }
    if (name === 'close') port.close();
  });
}
