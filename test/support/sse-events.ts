/** The JSON of every event of a stream with one line of data each; comments and `[DONE]` are left out. */
export function readSse(events: string): readonly Record<string, unknown>[] {
  return events.split(/\r?\n/).flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice('data: '.length)) as Record<string, unknown>] : []));
}
