import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { AppInfo, CopyRequest, DemoSent, FirstSteps, IpcRequests } from '../../shared/ipc.ts';
import type { GatewayState } from '../../shared/events.ts';
import type { UpstreamHealth } from '../../shared/health.ts';
import type { ListedKey } from '../../shared/key.ts';
import type { Route } from '../../shared/route.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { bridge } from '../bridge.ts';
import { keyOf } from './query.ts';

type Asked = { [K in keyof IpcRequests]: IpcRequests[K]['argument'] extends null ? K : never }[keyof IpcRequests];

function useAsked<K extends Asked>(name: K): UseQueryResult<IpcRequests[K]['answer']> {
  return useQuery({ queryKey: keyOf(name), queryFn: () => (bridge().request[name] as (argument: null) => Promise<IpcRequests[K]['answer']>)(null) });
}

/** Version, platform, system language. */
export const useAppInfo = (): UseQueryResult<AppInfo> => useAsked('app.info');
/** Whether and where the endpoint runs. */
export const useGatewayState = (): UseQueryResult<GatewayState> => useAsked('gateway.state');
/** The gateway's keys, masked. */
export const useKeys = (): UseQueryResult<readonly ListedKey[]> => useAsked('keys.list');
/** The upstreams in the user's order. */
export const useUpstreams = (): UseQueryResult<readonly Upstream[]> => useAsked('upstreams.list');
/** The user's routes in the order they are tried. */
export const useRoutes = (): UseQueryResult<readonly Route[]> => useAsked('routes.list');
/** How each upstream does, model by model. */
export const useHealth = (): UseQueryResult<readonly UpstreamHealth[]> => useAsked('health.list');
/** Which of the three first steps have really happened. */
export const useFirstSteps = (): UseQueryResult<FirstSteps> => useAsked('first_steps.get');

/** What the window can ask main to do besides settings and requests; each rejects only when main is gone. */
export interface Actions {
  readonly copy: (what: CopyRequest) => Promise<boolean>;
  readonly usePort: (port: number) => Promise<GatewayState>;
  /** Lets new requests in, or not, until the app ends. */
  readonly setAccepting: (accepting: boolean) => Promise<GatewayState>;
  readonly retryNow: (id: string) => Promise<boolean>;
  readonly giveUp: (id: string) => Promise<boolean>;
  readonly dismissFirstSteps: () => Promise<null>;
  readonly sendDemo: () => Promise<DemoSent>;
}

/** The actions of the window. */
export function useActions(): Actions {
  const cache = useQueryClient();
  const port = useMutation({
    mutationFn: (wanted: number) => bridge().request['gateway.use_port']({ port: wanted }),
    onSuccess: (state) => cache.setQueryData(keyOf('gateway.state'), state),
  });
  return {
    copy: (what) => bridge().request['clipboard.copy'](what),
    usePort: (wanted) => port.mutateAsync(wanted),
    setAccepting: (accepting) => bridge().request['gateway.set_accepting']({ accepting }),
    retryNow: (id) => bridge().request['exchanges.retry_now']({ id }),
    giveUp: (id) => bridge().request['exchanges.give_up']({ id }),
    dismissFirstSteps: () => bridge().request['first_steps.dismiss'](null),
    sendDemo: () => bridge().request['demo.send'](null),
  };
}
