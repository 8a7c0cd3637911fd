/** An id short enough to be read beside others: `96f0658e…04d1`. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}
