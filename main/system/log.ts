import { pino, type DestinationStream } from 'pino';
import type { Log } from '../gateway/ports.ts';

/** The operational log as JSON lines to the given stream. Written at once, so that the last words of a failing process are not lost. */
export function createLog(destination: DestinationStream): Log {
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } }, destination);
  return {
    info: (message, fields = {}) => { logger.info(fields, message); },
    warn: (message, fields = {}) => { logger.warn(fields, message); },
    error: (message, fields = {}) => { logger.error(fields, message); },
  };
}

/** One destination that hands each line to several. */
export function bothOf(first: DestinationStream, second: DestinationStream): DestinationStream {
  return { write: (line) => { first.write(line); second.write(line); } };
}

/** Stderr, as a destination for `createLog`. */
export function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: true });
}
