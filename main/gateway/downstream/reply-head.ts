import type { ReplyNotes } from '../ports.ts';

export type HeaderList = readonly (readonly [string, string])[];

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers in the flat form that `writeHead` takes; what could not be sent (an upstream's garbage) is left out. */
export function flat(headers: HeaderList): string[] {
  const lines: string[] = [];
  for (const [name, value] of headers) if (TOKEN.test(name) && VALUE.test(value)) lines.push(name, value);
  return lines;
}

export function hasHeader(headers: HeaderList, name: string): boolean {
  return headers.some(([own]) => own === name);
}

export function without(headers: HeaderList, names: readonly string[]): HeaderList {
  return headers.filter(([name]) => !names.includes(name));
}

/** What every head says of the exchange (SPEC 1.7, 10.5). */
export function noteHeaders(notes: ReplyNotes, sent: HeaderList): HeaderList {
  return [
    ['x-holdfast-request-id', notes.requestId],
    // A name in any script; percent-encoded it fits into a header.
    ...(notes.upstreamName === null ? [] : [['x-holdfast-upstream', headerText(notes.upstreamName)] as const]),
    ['x-holdfast-retries', String(notes.retries)],
    ...(notes.stopClientRetries && !hasHeader(sent, 'x-should-retry') ? [['x-should-retry', 'false'] as const] : []),
  ];
}

/** Tells proxies in between to let a stream through as it comes (SPEC 6.2), where the upstream has not. */
export function streamHeaders(sent: HeaderList): HeaderList {
  return [
    ...(hasHeader(sent, 'cache-control') ? [] : [['cache-control', 'no-cache'] as const]),
    ...(hasHeader(sent, 'x-accel-buffering') ? [] : [['x-accel-buffering', 'no'] as const]),
  ];
}

function headerText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text);
}
