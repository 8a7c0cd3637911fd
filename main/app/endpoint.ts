import type { GatewayState } from '../../shared/events.ts';
import type { App } from '../compose.ts';

/** Where the endpoint is, and moving it. */
export interface EndpointKeeper {
  /** Opens it where the settings say. */
  open(): Promise<GatewayState>;
  /** Moves it to a port; the setting follows when it is there. */
  usePort(port: number): Promise<GatewayState>;
  /** Moves it when the settings say another place than before. */
  followSettings(): Promise<void>;
}

/** Keeps the endpoint where the settings say. */
export function createEndpointKeeper({ start, store, config }: Pick<App, 'start' | 'store' | 'config'>): EndpointKeeper {
  const wish = (): string => JSON.stringify([config.settings()['gateway.port'], config.settings()['gateway.bind']]);
  let followed = wish();
  return {
    open() {
      followed = wish();
      return start();
    },
    async usePort(port) {
      const state = await start({ port });
      if (state.status === 'running' && state.port === port) {
        // It is there already: the change of the setting asks for no move.
        followed = JSON.stringify([port, config.settings()['gateway.bind']]);
        await store.settings.set('gateway.port', port);
      }
      return state;
    },
    async followSettings() {
      if (wish() === followed) return;
      followed = wish();
      await start();
    },
  };
}
