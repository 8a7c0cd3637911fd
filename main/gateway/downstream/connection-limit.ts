import type { Socket } from 'node:net';
import { formatByName } from '../core/formats/index.ts';
import { spoken } from './refusal.ts';

/** Connections that the endpoint holds at most, over all of its listeners: many times what clients of one user need, and few enough to fit in memory. */
export const MOST_CONNECTIONS = 4_096;

/** The connections of the endpoint. */
export interface Connections {
  /** Takes one in. Beyond the limit the oldest one that carries no request makes room for it; when all of them carry one the new one is refused. */
  take(socket: Socket): void;
  all(): readonly Socket[];
}

/** `carries` tells whether a connection is at a request. */
export function createConnections(carries: (socket: Socket) => boolean, most = MOST_CONNECTIONS): Connections {
  // In the order in which they came.
  const open = new Set<Socket>();
  const makeRoom = (): boolean => {
    for (const socket of open) {
      if (carries(socket)) continue;
      open.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  };
  return {
    take: (socket) => {
      if (open.size >= most && !makeRoom()) {
        refuse(socket);
        return;
      }
      open.add(socket);
      socket.on('close', () => { open.delete(socket); });
    },
    all: () => [...open],
  };
}

// Who is asking is not known yet: this is the shape that most clients read.
function refuse(socket: Socket): void {
  const body = formatByName('chat').writeError({ status: 503, code: 'gateway.too_many_connections', type: null, message: spoken('This Holdfast has as many connections as it takes.'), requestId: 'none' }, null);
  const head = `HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: ${body.byteLength}\r\nretry-after: 1\r\nconnection: close\r\n\r\n`;
  socket.on('error', () => undefined);
  socket.end(Buffer.concat([Buffer.from(head, 'latin1'), body]), () => { socket.destroy(); });
}
