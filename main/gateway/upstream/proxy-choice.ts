import { isLoopbackHost } from './self-address.ts';
import { isSocks } from './socks.ts';

/** How to reach an upstream (SPEC 2.6). */
export type ProxyChoice =
  | { readonly kind: 'direct'; /** A proxy variable that points at the gateway was left out. */ readonly loopAvoided: boolean }
  | { readonly kind: 'proxy'; readonly url: URL }
  | { readonly kind: 'refused'; readonly reason: string };

/** Variables of the environment, under their usual names in both spellings. */
export type ProxyVariables = Readonly<Record<string, string | undefined>>;

/**
 * Decides the way to `target`: `none`, a proxy URL, or `system`, which follows `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`.
 * Loopback upstreams never use one. A configured proxy that is the gateway itself is refused; one from the environment is passed by.
 */
export function chooseProxy(setting: string, target: URL, variables: ProxyVariables, isSelf: (url: URL) => boolean): ProxyChoice {
  if (setting === 'none' || isLoopbackHost(target.hostname)) return { kind: 'direct', loopAvoided: false };
  if (setting !== 'system') {
    const url = proxyUrl(setting);
    if (url === null) return { kind: 'refused', reason: 'the outbound proxy is not an address that can be used: http://host:port, https://host:port or socks5://host:port' };
    return isSelf(url) ? { kind: 'refused', reason: 'the outbound proxy points at the gateway itself' } : { kind: 'proxy', url };
  }
  const text = fromEnvironment(target, variables);
  if (text === null || bypassed(target, variable(variables, 'no_proxy') ?? '')) return { kind: 'direct', loopAvoided: false };
  const url = proxyUrl(text);
  // A broken or unsupported variable must not cut off every upstream: programs pass it by.
  if (url === null) return { kind: 'direct', loopAvoided: false };
  return isSelf(url) ? { kind: 'direct', loopAvoided: true } : { kind: 'proxy', url };
}

function fromEnvironment(target: URL, variables: ProxyVariables): string | null {
  const names = target.protocol === 'https:' ? ['https_proxy', 'http_proxy', 'all_proxy'] : ['http_proxy', 'all_proxy'];
  return names.map((name) => variable(variables, name)).find((value) => value !== undefined) ?? null;
}

function variable(variables: ProxyVariables, name: string): string | undefined {
  const value = variables[name] ?? variables[name.toUpperCase()];
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

function proxyUrl(text: string): URL | null {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  return (['http:', 'https:'].includes(url.protocol) || isSocks(url)) && url.hostname !== '' ? url : null;
}

/** Whether `NO_PROXY` names the target: `*`, host names with all below them, `host:port`, addresses, IPv4 ranges like `10.0.0.0/8`. */
function bypassed(target: URL, list: string): boolean {
  const host = target.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = target.port === '' ? (target.protocol === 'https:' ? '443' : '80') : target.port;
  return list.split(/[,\s]+/).some((entry) => {
    if (entry === '') return false;
    if (entry === '*') return true;
    if (/^[\d.]+\/\d+$/.test(entry)) return inRange(host, entry);
    const parts = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(entry);
    const name = (parts?.[1] ?? entry).replace(/^\[|\]$/g, '').replace(/^\*?\./, '').toLowerCase();
    if (parts?.[2] !== undefined && parts[2] !== port) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

function inRange(host: string, range: string): boolean {
  const [base = '', bits = ''] = range.split('/');
  const width = Number(bits);
  const left = ipv4(host);
  const right = ipv4(base);
  if (left === null || right === null || width > 32) return false;
  return width === 0 || Math.floor(left / 2 ** (32 - width)) === Math.floor(right / 2 ** (32 - width));
}

function ipv4(text: string): number | null {
  const parts = text.split('.').map(Number);
  if (parts.length !== 4 || parts.some((part) => !Number.isInteger(part) || part < 0 || part > 255)) return null;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}
