import { FORMAT_NAMES } from '../../shared/format.ts';
import type { Upstream } from '../../shared/upstream.ts';
import type { Clock, Configuration, Log } from '../gateway/ports.ts';
import { DEMO_MODELS } from './demo-models.ts';
import { startDemoServer, type DemoServer } from './demo-server.ts';

/** The id of the demo upstream; it is never stored. */
export const DEMO_UPSTREAM_ID = 'holdfast-demo';

/** What the user wants of the demo: `null` leaves it to whether there are other upstreams. */
export type DemoChoice = 'shown' | 'hidden' | null;

/** A configuration whose upstreams end with the demo as long as there are no others, or as the user has chosen (SPEC 2.8). */
export interface DemoConfiguration extends Configuration {
  /** Starts or stops the demo as the stored upstreams ask for. To be called at the start and whenever they change; never rejects. */
  follow(): Promise<void>;
  /** Stops the demo for good. */
  close(): Promise<void>;
}

export function withDemo(config: Configuration, clock: Clock, log: Log, choice: () => DemoChoice = () => null): DemoConfiguration {
  let running: { readonly server: DemoServer; readonly upstream: Upstream } | null = null;
  // The same list until it changes, so that one can tell by looking whether it has.
  let joined: { readonly of: readonly Upstream[]; readonly upstream: Upstream; readonly list: readonly Upstream[] } | null = null;
  let closed = false;
  let last: Promise<void> = Promise.resolve();

  const wanted = (): boolean => !closed && (choice() === null ? config.upstreams().length === 0 : choice() === 'shown');
  const step = async (): Promise<void> => {
    if (wanted() && running === null) {
      try {
        const server = await startDemoServer(clock);
        running = { server, upstream: demoUpstream(server.url) };
      } catch (error) {
        log.warn('the demo upstream could not be started', { reason: String(error) });
      }
    } else if (!wanted() && running !== null) {
      const { server } = running;
      running = null;
      await server.close();
    }
  };
  const follow = (): Promise<void> => (last = last.then(step));

  return {
    settings: () => config.settings(),
    routes: () => config.routes(),
    // Out of the list as soon as it is not wanted, though its server may take a moment longer to stop.
    upstreams: () => {
      const of = config.upstreams();
      if (!wanted() || running === null) return of;
      const { upstream } = running;
      if (joined?.of !== of || joined.upstream !== upstream) joined = { of, upstream, list: [...of, upstream] };
      return joined.list;
    },
    upstream: (id) => (id === DEMO_UPSTREAM_ID && wanted() && running !== null ? running.upstream : config.upstream(id)),
    follow,
    close: () => {
      closed = true;
      return follow();
    },
  };
}

function demoUpstream(baseUrl: string): Upstream {
  return {
    id: DEMO_UPSTREAM_ID, name: 'Demo', preset: 'demo', baseUrl, formats: FORMAT_NAMES, credential: { kind: 'none' }, headers: {}, proxy: 'none',
    models: DEMO_MODELS, maxInFlight: 0, enabled: true,
  };
}
