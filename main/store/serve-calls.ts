import type { MessagePort } from 'node:worker_threads';
import type { AnswerMessage, CallMessage, Calls, Handlers } from './protocol.ts';

/** Answers calls inside a worker, one after the other. A handler that throws answers with the reason and the worker goes on; `close` ends it. */
export function serveCalls<T extends Calls<T>>(port: MessagePort, handlers: Handlers<T>): void {
  port.on('message', (message: CallMessage) => {
    port.postMessage(answerTo(message, handlers));
    if (message.name === 'close') port.close();
  });
}

function answerTo<T extends Calls<T>>(message: CallMessage, handlers: Handlers<T>): AnswerMessage {
  try {
    return { id: message.id, ok: true, answer: handlers[message.name as keyof T](message.argument) };
  } catch (error) {
    return { id: message.id, ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
