import { networkInterfaces } from 'node:os';

/** Whether a host of a URL is this machine's loopback: `localhost` and names below it, 127.0.0.0/8, `::1`, and the unspecified addresses, which lead there too. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '').toLowerCase();
  return host === 'localhost' || host.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(host)
    || host === '::1' || host === '::' || host === '0.0.0.0' || host.startsWith('::ffff:7f');
}

/** Whether a URL leads to one of the gateway's own ports on this machine (SPEC 2.2, 2.6). */
export function isSelfAddress(url: URL, ownPorts: readonly number[]): boolean {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return ownPorts.includes(port) && (isLoopbackHost(url.hostname) || isOwnInterface(url.hostname));
}

function isOwnInterface(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some((address) => address.address.toLowerCase() === host));
}
