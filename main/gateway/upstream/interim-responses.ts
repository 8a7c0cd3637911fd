import type { Socket } from 'node:net';

const LONGEST_INTERIM_BYTES = 64 * 1024;
const HEAD_END = '\r\n\r\n';

/**
 * Takes `100 Continue` and other interim responses out of what is read from a socket until the final response begins. An upstream may send
 * them unasked (RFC 9110 15.2), and undici gives up the connection at a 100. Works on the socket's `read`, which is all the library calls.
 * `begun` is called when the first byte has come, whatever it belongs to.
 */
export function skipInterimResponses(socket: Socket, begun: () => void): void {
  let waiting: Buffer = Buffer.alloc(0);
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const stop = (rest: Buffer): Buffer => {
    delete (socket as Partial<Socket>).read;
    return rest;
  };
  socket.read = ((size?: number): Buffer | null => {
    const chunk = read(size);
    if (chunk === null) return null;
    begun();
    waiting = waiting.byteLength === 0 ? chunk : Buffer.concat([waiting, chunk]);
    while (isInterim(waiting)) {
      const end = waiting.indexOf(HEAD_END);
      if (end < 0) return waiting.byteLength > LONGEST_INTERIM_BYTES ? stop(waiting) : null;
      waiting = waiting.subarray(end + HEAD_END.length);
    }
    // Too short to tell: `HTTP/1.1 1`.
    return waiting.byteLength < 10 && 'HTTP/1.'.startsWith(waiting.toString('latin1', 0, 7)) ? null : stop(waiting);
  }) as Socket['read'];
}

// 101 is no interim response: the connection would change its protocol.
function isInterim(bytes: Buffer): boolean {
  return bytes.byteLength >= 12 ? /^HTTP\/1\.[01] 1(?!01)\d\d/.test(bytes.toString('latin1', 0, 12)) : /^HTTP\/1\.[01] 1/.test(bytes.toString('latin1', 0, 10));
}
