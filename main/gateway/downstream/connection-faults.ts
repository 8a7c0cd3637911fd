import type { IncomingHttpHeaders, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FormatName } from '../../../shared/format.ts';
import { formatByName } from '../core/formats/index.ts';
import { recognise } from './paths.ts';
import { spoken } from './refusal.ts';
import { parseTarget } from './request-target.ts';
import { formatByHeaders } from './serve.ts';
import type { Visit } from './visit.ts';

interface Fault { readonly status: string; readonly code: string; readonly message: string; readonly headers?: string }

const TOO_LARGE_HEAD: Fault = { status: '431 Request Header Fields Too Large', code: 'request.head_too_large', message: 'The head of the request is larger than 64 KiB.' };
const TOO_SLOW: Fault = { status: '408 Request Timeout', code: 'request.too_slow', message: 'The head of the request did not arrive within 60 seconds.' };
const MALFORMED: Fault = { status: '400 Bad Request', code: 'request.malformed', message: 'The request is not valid HTTP.' };
const NO_TUNNEL: Fault = { status: '405 Method Not Allowed', code: 'method_not_allowed', message: 'This gateway is no proxy.', headers: 'allow: GET, HEAD, POST\r\n' };

/** Answers what never becomes a request: malformed heads, heads that are too large or too slow, CONNECT. `visitAt` tells what a connection is at. */
export function watchConnections(server: Server, visitAt: (socket: Duplex) => Visit | undefined): void {
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    const visit = visitAt(socket);
    const busy = visit !== undefined && !visit.response.writableFinished;
    // Into an answer that has begun nothing can be put; a response without a socket waits behind that of an earlier request.
    if (error.code === 'ECONNRESET' || !socket.writable || (busy && (visit.response.headersSent || visit.response.socket === null))) {
      socket.destroy();
      return;
    }
    endWith(socket, faultOf(error.code), busy ? visit.format : formatOfHead(error.rawPacket));
  });
  server.on('connect', (request, socket: Duplex) => {
    // The server has let go of this socket; nobody else listens for its errors.
    socket.on('error', () => undefined);
    endWith(socket, NO_TUNNEL, formatByHeaders(request.headers, []));
  });
}

function faultOf(code: string | undefined): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') return TOO_LARGE_HEAD;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TOO_SLOW : MALFORMED;
}

function endWith(socket: Duplex, fault: Fault, format: FormatName): void {
  const status = Number(fault.status.slice(0, 3));
  const body = formatByName(format).writeError({ status, code: fault.code, type: null, message: spoken(fault.message), requestId: 'none' }, null);
  const head = `HTTP/1.1 ${fault.status}\r\n${fault.headers ?? ''}content-type: application/json\r\ncontent-length: ${body.byteLength}\r\nconnection: close\r\n\r\n`;
  socket.end(Buffer.concat([Buffer.from(head, 'latin1'), body]), () => { socket.destroy(); });
}

// The parser gave up; what can be read of the head still tells who is asking.
function formatOfHead(packet: Buffer | undefined): FormatName {
  const lines = (packet ?? Buffer.alloc(0)).subarray(0, 16_384).toString('latin1').split(/\r?\n/);
  const target = parseTarget(/^[A-Z]+ (\S+)/.exec(lines[0] ?? '')?.[1] ?? '/');
  const { meaning } = recognise(target?.path ?? '/', target?.query ?? '');
  if (meaning.kind === 'exchange') return meaning.format;
  const headers: IncomingHttpHeaders = Object.fromEntries(lines.slice(1).map((line) => [line.split(':', 1)[0]?.trim().toLowerCase() ?? '', 'present']));
  return formatByHeaders(headers, target?.queryKeys ?? []);
}
