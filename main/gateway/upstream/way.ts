import { normaliseBaseUrl } from '../../../shared/base-url.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import type { Log } from '../ports.ts';
import { chooseProxy, type ProxyVariables } from './proxy-choice.ts';
import { isSelfAddress } from './self-address.ts';

/** How an upstream is reached, or why it cannot be asked at all (SPEC 2.2, 2.6). */
export type Way =
  | { readonly kind: 'way'; /** Normalised. */ readonly baseUrl: string; readonly url: URL; /** Null when it is reached directly. */ readonly proxy: URL | null }
  | { readonly kind: 'refused'; readonly code: 'bad_address' | 'bad_address.self' | 'bad_address.proxy'; readonly detail: string };

/** What is looked at each time: both may change while the gateway runs. */
export interface WayParts {
  readonly log: Log;
  readonly ownPorts?: (() => readonly number[]) | undefined;
  readonly proxyVariables?: (() => ProxyVariables) | undefined;
}

export function wayTo(upstream: Upstream, { log, ownPorts = () => [], proxyVariables = () => process.env }: WayParts): Way {
  const base = normaliseBaseUrl(upstream.baseUrl, upstream.preset);
  if (!base.ok) return { kind: 'refused', code: 'bad_address', detail: base.reason };
  const ports = ownPorts();
  const isSelf = (url: URL): boolean => isSelfAddress(url, ports);
  const url = new URL(base.url);
  if (isSelf(url)) return { kind: 'refused', code: 'bad_address.self', detail: url.host };
  const proxy = chooseProxy(upstream.proxy, url, proxyVariables(), isSelf);
  if (proxy.kind === 'refused') return { kind: 'refused', code: 'bad_address.proxy', detail: proxy.reason };
  if (proxy.kind === 'direct' && proxy.loopAvoided) log.warn('the proxy of the environment points at the gateway itself and is not used', { upstream: upstream.name });
  return { kind: 'way', baseUrl: base.url, url, proxy: proxy.kind === 'proxy' ? proxy.url : null };
}
