import { isIPv6 } from 'node:net';

/** The name and port of a Host header or an authority, lower case, without brackets; null when it is neither. */
function hostAndPort(text: string): { name: string; port: string } | null {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([^:[\]@/\s]+))(?::(\d{1,5}))?$/i.exec(text.trim());
  const name = (parts?.[1] ?? parts?.[2])?.toLowerCase();
  if (parts === null || name === undefined) return null;
  if (parts[1] !== undefined && !isIPv6(name)) return null;
  return { name: name.endsWith('.') ? name.slice(0, -1) : name, port: parts[3] ?? '' };
}

function isLoopback(name: string): boolean {
  if (name === 'localhost') return true;
  const octets = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(name.replace(/^::ffff:/, ''));
  if (octets !== null) return octets[1] === '127' && octets.slice(2).every((octet) => Number(octet) <= 255);
  // The URL parser writes every spelling of an address in one way.
  return isIPv6(name) && new URL(`http://[${name}]/`).hostname === '[::1]';
}

/**
 * Whether a Host header may come in (SPEC 1.5): a loopback name or address, the very address the connection came to, or one that the
 * user allowed (`name`, or `name:port` for that port only).
 */
export function hostAllowed(host: string | undefined, arrivedAt: string | undefined, allowed: readonly string[]): boolean {
  const given = host === undefined ? null : hostAndPort(host);
  if (given === null) return false;
  if (isLoopback(given.name) || given.name === arrivedAt?.replace(/^::ffff:/, '').toLowerCase()) return true;
  return allowed.some((entry) => {
    const wanted = hostAndPort(isIPv6(entry.trim()) ? `[${entry.trim()}]` : entry);
    return wanted !== null && wanted.name === given.name && (wanted.port === '' || wanted.port === given.port);
  });
}

/** Whether the user listed this origin (SPEC 1.5); `null` and patterns never are. */
export function originListed(origin: string, allowed: readonly string[]): boolean {
  const given = origin.trim().toLowerCase();
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/.test(given)) return false;
  return allowed.some((entry) => entry.trim().toLowerCase().replace(/\/$/, '') === given);
}

/** Headers that let a page of a listed origin read the answer. */
export function corsHeaders(origin: string): readonly (readonly [string, string])[] {
  return [
    ['access-control-allow-origin', origin],
    ['access-control-expose-headers', 'x-holdfast-request-id, x-holdfast-upstream, x-holdfast-retries, request-id, x-request-id, retry-after'],
    ['vary', 'origin'],
  ];
}

/** Further headers of the answer to a preflight of a listed origin. */
export function preflightHeaders(askedHeaders: string | undefined, privateNetwork: boolean): readonly (readonly [string, string])[] {
  const names = (askedHeaders ?? '').split(',').map((name) => name.trim()).filter((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name)).slice(0, 100);
  return [
    ['access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE'],
    ...(names.length > 0 ? [['access-control-allow-headers', names.join(', ')] as const] : []),
    ...(privateNetwork ? [['access-control-allow-private-network', 'true'] as const] : []),
    ['access-control-max-age', '600'],
  ];
}
