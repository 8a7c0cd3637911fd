import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket, createSecureContext } from 'node:tls';
import { createRequestParser, type RequestHead } from './request-parser.ts';
import { createSignals } from './signals.ts';

/** How the gateway's side of a connection went away: `fin` politely, `reset` by force, `ours` when the script closed it first. */
export type Closing = 'fin' | 'reset' | 'ours';

/** What happens to a new connection before any byte is read. */
export type ConnectionPlan = 'serve' | 'reset' | 'fin' | 'hang';

/** One request as it came, and the means to answer it step by step. Writing resolves when the bytes left this process. */
export interface Call extends RequestHead {
  /** Place among all requests of this upstream, from 0. */
  readonly index: number;
  /** Which connection carried it, from 0, and its place on that connection, from 0. */
  readonly connection: number;
  readonly indexOnConnection: number;
  /** `performance.now()` when the head was complete. */
  readonly arrivedMs: number;
  /** The whole body; never resolves when it does not come whole. */
  readonly body: Promise<Buffer>;
  /** Body bytes so far. */
  bodyBytes(): number;
  /** Resolves when at least `bytes` of the body have come. */
  bodyReaches(bytes: number): Promise<void>;
  /** Writes status line and headers. Without content-length or transfer-encoding the body is chunked; `untilClose` sends it bare. */
  head(status: number, headers?: Readonly<Record<string, string | readonly string[]>>, how?: { readonly version?: '1.0' | '1.1'; readonly untilClose?: boolean }): Promise<void>;
  /** Writes body bytes in the framing that `head` chose; does not wait for a slow reader. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** Ends the body; the connection stays open but for bodies that only the end of the connection ends. */
  end(): Promise<void>;
  /** A whole answer with its content-length. */
  answer(status: number, headers: Readonly<Record<string, string>>, body: string | Uint8Array): Promise<void>;
  /** Exact bytes, whatever they are. */
  raw(bytes: string | Uint8Array): Promise<void>;
  fin(): void;
  reset(): void;
  /** How the connection ended, and when (`performance.now()`). */
  readonly closed: Promise<{ readonly how: Closing; readonly atMs: number }>;
  /** Bytes written that the gateway has not taken from this process yet. */
  waitingBytes(): number;
  /** Stops and starts reading the request. */
  pauseReading(): void;
  resumeReading(): void;
}

export type Script = (call: Call) => void | Promise<void>;

/** A server of raw sockets that does what a test says and remembers what it got. */
export interface ScriptedUpstream {
  readonly port: number;
  /** `http://127.0.0.1:<port>` (or https). */
  readonly url: string;
  /** Requests in the order in which their heads came. */
  readonly calls: readonly Call[];
  /** Scripts of the next requests, in order; `otherwise` answers the rest (a request without a script waits for ever). */
  script(...scripts: readonly Script[]): void;
  otherwise(script: Script): void;
  /** Plans of the next connections, in order; later ones are served. */
  connections(...plans: readonly ConnectionPlan[]): void;
  /** Resolves with the n-th request, from 0, as soon as its head is here. */
  call(index: number): Promise<Call>;
  /** Connections accepted so far. */
  accepted(): number;
  whenAccepted(count: number): Promise<void>;
  /** Connections open now. */
  open(): number;
  whenOpen(count: number): Promise<void>;
  /** Fails the test's cleanup when a script threw. */
  close(): Promise<void>;
}

/** Starts a scripted upstream on 127.0.0.1 and a free port (or the given one). */
export async function startScriptedUpstream(options: { readonly tls?: { readonly key: string; readonly cert: string }; readonly host?: string; readonly port?: number } = {}): Promise<ScriptedUpstream> {
  const calls: Call[] = [];
  const scripts: Script[] = [];
  const plans: ConnectionPlan[] = [];
  const sockets = new Set<Socket>();
  const faults: unknown[] = [];
  const signals = createSignals();
  let otherwise: Script = () => undefined;
  let accepted = 0;

  const took = (call: Call): void => {
    calls.push(call);
    signals.changed();
    const script = scripts.shift() ?? otherwise;
    Promise.resolve().then(() => script(call)).catch((fault: unknown) => { faults.push(fault); });
  };

  const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (plain) => {
    const connection = accepted++;
    sockets.add(plain);
    plain.on('error', () => undefined);
    plain.on('close', () => { sockets.delete(plain); signals.changed(); });
    signals.changed();
    const plan = plans.shift() ?? 'serve';
    if (plan === 'reset') plain.resetAndDestroy();
    else if (plan === 'fin') plain.end(() => plain.destroy());
    else if (plan === 'serve') serve(secured(plain, options.tls), plain, connection, () => calls.length, took);
    else plain.on('end', () => { plain.end(); }).resume();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    calls,
    script: (...more) => { scripts.push(...more); },
    otherwise: (script) => { otherwise = script; },
    connections: (...more) => { plans.push(...more); },
    call: async (index) => {
      await signals.when(() => calls.length > index);
      return calls[index] as Call;
    },
    accepted: () => accepted,
    whenAccepted: (count) => signals.when(() => accepted >= count),
    open: () => sockets.size,
    whenOpen: (count) => signals.when(() => sockets.size === count),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => { server.close(() => resolve()); });
      if (faults.length > 0) throw faults[0];
    },
  };
}

function secured(plain: Socket, tls: { readonly key: string; readonly cert: string } | undefined): Socket {
  if (tls === undefined) return plain;
  const socket = new TLSSocket(plain, { isServer: true, secureContext: createSecureContext(tls) });
  socket.on('error', () => { plain.destroy(); });
  return socket;
}

function serve(socket: Socket, plain: Socket, connection: number, nextIndex: () => number, took: (call: Call) => void): void {
  let closedByUs = false;
  let indexOnConnection = 0;
  let settleClosed: (closing: { how: Closing; atMs: number }) => void = () => undefined;
  const closed = new Promise<{ how: Closing; atMs: number }>((resolve) => { settleClosed = resolve; });
  const gone = (how: Closing): void => { settleClosed({ how: closedByUs ? 'ours' : how, atMs: performance.now() }); };
  socket.on('end', () => { gone('fin'); if (!closedByUs) socket.end(); });
  socket.on('error', () => { gone('reset'); });
  socket.on('close', () => { gone('reset'); });

  const write = (bytes: string | Uint8Array): Promise<void> => new Promise((resolve) => { socket.write(bytes, () => resolve()); });
  const parser = createRequestParser((head, body) => {
    let framing: 'chunked' | 'length' | 'close' = 'chunked';
    const call: Call = {
      ...head,
      index: nextIndex(),
      connection,
      indexOnConnection: indexOnConnection++,
      arrivedMs: performance.now(),
      body: body.whole,
      bodyBytes: body.bytes,
      bodyReaches: body.reaches,
      head: (status, headers = {}, how = {}) => {
        const lines = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [value] : value).map((one) => `${name}: ${one}\r\n`));
        const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
        framing = how.untilClose === true || how.version === '1.0' ? 'close' : names.has('content-length') ? 'length' : 'chunked';
        if (framing === 'chunked' && !names.has('transfer-encoding')) lines.push('transfer-encoding: chunked\r\n');
        return write(`HTTP/${how.version ?? '1.1'} ${status} Scripted\r\n${lines.join('')}\r\n`);
      },
      write: (bytes) => {
        const chunk = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
        return framing === 'chunked' ? write(Buffer.concat([Buffer.from(`${chunk.byteLength.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])) : write(chunk);
      },
      end: async () => {
        if (framing === 'chunked') await write('0\r\n\r\n');
        else if (framing === 'close') call.fin();
      },
      answer: async (status, headers, bytes) => {
        const whole = Buffer.from(bytes);
        await call.head(status, { 'content-length': String(whole.byteLength), ...headers });
        await write(whole);
      },
      raw: write,
      fin: () => { closedByUs = true; socket.end(); },
      reset: () => { closedByUs = true; plain.resetAndDestroy(); },
      closed,
      waitingBytes: () => socket.writableLength,
      pauseReading: () => { socket.pause(); },
      resumeReading: () => { socket.resume(); },
    };
    took(call);
  });
  socket.on('data', (chunk: Buffer) => { parser(chunk); });
}
