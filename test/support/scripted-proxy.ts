import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy that tunnels whatever host it is asked for to 127.0.0.1, or refuses. */
export interface ScriptedProxy {
  readonly url: string;
  /** Heads of the CONNECT requests, as they came. */
  readonly asked: readonly string[];
  /** What the next requests get instead of a tunnel: raw bytes; `close` closes without a word. */
  refuse(...answers: readonly string[]): void;
  close(): Promise<void>;
}

export async function startScriptedProxy(): Promise<ScriptedProxy> {
  const asked: string[] = [];
  const refusals: string[] = [];
  const sockets = new Set<Socket>();
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => { sockets.delete(socket); });
  };
  const server = createServer((client) => {
    track(client);
    client.once('data', (head) => {
      asked.push(head.toString('latin1'));
      const refusal = refusals.shift();
      if (refusal === 'close') { client.destroy(); return; }
      if (refusal !== undefined) { client.end(refusal); return; }
      const port = Number(/^CONNECT \S+:(\d+) /.exec(head.toString('latin1'))?.[1]);
      const target = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\nx-proxy: test\r\n\r\n');
        client.pipe(target).pipe(client);
      });
      track(target);
      target.on('close', () => { client.destroy(); });
      client.on('close', () => { target.destroy(); });
    });
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    refuse: (...answers) => { refusals.push(...answers); },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => { server.close(() => resolve()); });
    },
  };
}
