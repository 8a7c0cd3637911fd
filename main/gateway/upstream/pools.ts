import { Agent } from 'undici';
import { createConnector, type Connector, type ConnectStage } from './connector.ts';
import type { Pools } from './wire.ts';

const LARGEST_HEAD_BYTES = 128 * 1024;
// Long enough that the next request of a conversation finds it open; what the other side closes meanwhile is cured by 4.6.
const KEEP_ALIVE_MS = 30_000;
const KEEP_ALIVE_MAX_MS = 600_000;

/** Connections to upstreams, one set for each way to them. */
export interface PoolKeeper {
  pools(proxy: URL | null): Pools;
  /** Idle connections are closed, and those in use are not used again; the next request makes a new one (SPEC 8.8). */
  drop(): void;
  /** Closes every connection at once, also those being made. */
  close(): Promise<void>;
  /** Connections that are open or being made. */
  open(): number;
}

interface Set extends Pools { readonly connector: Connector }

export function createPoolKeeper(options: { readonly connectTimeoutMs: number; readonly certificates: readonly string[]; readonly passed?: (stage: ConnectStage) => void }): PoolKeeper {
  const current = new Map<string, Set>();
  const retired = new globalThis.Set<Set>();

  const make = (proxy: URL | null): Set => {
    const connector = createConnector({ ...options, proxy });
    // Our own timers govern (SPEC 2.5); only the connect timeout is the library's, inside the connector.
    const agent = (): Agent => new Agent({
      connect: connector.connect, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: LARGEST_HEAD_BYTES, pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS, allowH2: false,
    });
    return { pooled: agent(), fresh: agent(), connector };
  };

  return {
    pools: (proxy) => {
      const key = proxy?.href ?? '';
      let set = current.get(key);
      if (set === undefined) current.set(key, set = make(proxy));
      return set;
    },
    drop: () => {
      for (const set of current.values()) {
        retired.add(set);
        // Ends when its last exchange has ended.
        void Promise.all([set.pooled.close(), set.fresh.close()]).then(() => { retired.delete(set); });
      }
      current.clear();
    },
    close: async () => {
      const all = [...current.values(), ...retired];
      current.clear();
      retired.clear();
      const ended = all.flatMap((set) => [set.pooled.destroy(), set.fresh.destroy()]);
      for (const set of all) for (const socket of set.connector.sockets) socket.on('error', () => undefined).destroy();
      await Promise.all(ended);
    },
    open: () => [...current.values(), ...retired].reduce((sum, set) => sum + set.connector.sockets.size, 0),
  };
}
