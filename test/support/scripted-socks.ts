import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A SOCKS 5 proxy (RFC 1928, 1929) that leads whatever host it is asked for to 127.0.0.1. */
export interface ScriptedSocks {
  readonly port: number;
  /** `host:port` of each request, in order. */
  readonly asked: readonly string[];
  /** From now on a user name and password are wanted. */
  wantLogin(user: string, password: string): void;
  /** The next request gets this reply code in place of a tunnel; `close` closes without a word, `babble` answers what is no SOCKS. */
  refuse(reply: number | 'close' | 'babble'): void;
  close(): Promise<void>;
}

export async function startScriptedSocks(): Promise<ScriptedSocks> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let login: readonly [string, string] | null = null;
  let refusal: number | 'close' | 'babble' | null = null;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => { sockets.delete(socket); });
  };
  const serve = async (client: Socket): Promise<void> => {
    const read = reader(client);
    const [, methods = 0] = await read(2);
    const offered = await read(methods);
    if (refusal === 'babble') { client.end('hello there'); return; }
    const method = login === null ? 0 : 2;
    if (!offered.includes(method)) { client.end(Buffer.from([5, 0xff])); return; }
    client.write(Buffer.from([5, method]));
    if (login !== null) {
      const [, userBytes = 0] = await read(2);
      const user = (await read(userBytes)).toString();
      const password = (await read((await read(1))[0] ?? 0)).toString();
      const right = user === login[0] && password === login[1];
      client.write(Buffer.from([1, right ? 0 : 1]));
      if (!right) { client.end(); return; }
    }
    const [, , , kind = 0] = await read(4);
    const host = kind === 3 ? (await read((await read(1))[0] ?? 0)).toString() : [...await read(kind === 1 ? 4 : 16)].join('.');
    const port = (await read(2)).readUInt16BE();
    asked.push(`${host}:${port}`);
    if (refusal === 'close') { client.destroy(); return; }
    if (refusal !== null) { client.end(Buffer.from([5, refusal, 0, 1, 0, 0, 0, 0, 0, 0])); return; }
    const target = connect(port, '127.0.0.1', () => {
      client.removeAllListeners('data');
      client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
      client.pipe(target).pipe(client);
    });
    track(target);
    target.on('close', () => { client.destroy(); });
    client.on('close', () => { target.destroy(); });
  };
  const server = createServer((client) => {
    track(client);
    void serve(client);
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    wantLogin: (user, password) => { login = [user, password]; },
    refuse: (reply) => { refusal = reply; },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => { server.close(() => { resolve(); }); });
    },
  };
}

/** Reads exactly so many bytes; never resolves when they do not come. */
function reader(socket: Socket): (bytes: number) => Promise<Buffer> {
  let held = Buffer.alloc(0);
  let waiting: (() => void) | null = null;
  socket.on('data', (chunk) => {
    held = Buffer.concat([held, chunk]);
    waiting?.();
  });
  return async (bytes) => {
    while (held.byteLength < bytes) await new Promise<void>((resolve) => { waiting = resolve; });
    const taken = held.subarray(0, bytes);
    held = held.subarray(bytes);
    return taken;
  };
}
