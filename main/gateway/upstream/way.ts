import { normaliseBaseUrl } from '../../../shared/base-url.ts';
import { isNearHost } from '../core/loop-mark.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import type { Log } from '../ports.ts';
import { chooseProxy, type ProxyVariables } from './proxy-choice.ts';
import { isSelfAddress } from './self-address.ts';

/** How an upstream is reached, or why it cannot be asked at all (SPEC 2.2, 2.6). */
export type Way =
  | { readonly kind: 'way'; /** Normalised. */ readonly baseUrl: string; readonly url: URL; /** Null when it is reached directly. */ readonly proxy: URL | null; /** On this machine or its network: it could be a gateway, too. */ readonly near: boolean }
  | { readonly kind: 'refused'; readonly code: 'bad_address' | 'bad_address.self' | 'bad_address.proxy'; readonly detail: string };

/** What is looked at each time: both may change while the gateway runs. */
export interface WayParts {
  readonly log: Log;
  readonly ownPorts?: (() => readonly number[]) | undefined;
  readonly proxyVariables?: (() => ProxyVariables) | undefined;
}

type Base = { readonly ok: true; readonly baseUrl: string; readonly url: URL; readonly near: boolean } | { readonly ok: false; readonly reason: string };

// Reading an address costs as much as all else here. An edit makes a new object, and an object that nobody holds any more takes its entry along.
const bases = new WeakMap<Upstream, Base>();

function baseOf(upstream: Upstream): Base {
  let base = bases.get(upstream);
  if (base === undefined) {
    const reading = normaliseBaseUrl(upstream.baseUrl, upstream.preset);
    base = reading.ok ? readBase(reading.url) : { ok: false, reason: reading.reason };
    bases.set(upstream, base);
  }
  return base;
}

function readBase(baseUrl: string): Base {
  const url = new URL(baseUrl);
  return { ok: true, baseUrl, url, near: isNearHost(url.hostname) };
}

/** How this upstream is reached now: its own ports and the environment's proxies are looked at each time. */
export function wayTo(upstream: Upstream, { log, ownPorts = () => [], proxyVariables = () => process.env }: WayParts): Way {
  const base = baseOf(upstream);
  if (!base.ok) return { kind: 'refused', code: 'bad_address', detail: base.reason };
  const ports = ownPorts();
  const isSelf = (url: URL): boolean => isSelfAddress(url, ports);
  const { url } = base;
  if (isSelf(url)) return { kind: 'refused', code: 'bad_address.self', detail: url.host };
  const proxy = chooseProxy(upstream.proxy, url, proxyVariables(), isSelf);
  if (proxy.kind === 'refused') return { kind: 'refused', code: 'bad_address.proxy', detail: proxy.reason };
  if (proxy.kind === 'direct' && proxy.loopAvoided) log.warn('the proxy of the environment points at the gateway itself and is not used', { upstream: upstream.name });
  return { kind: 'way', baseUrl: base.baseUrl, url, near: base.near, proxy: proxy.kind === 'proxy' ? proxy.url : null };
}
