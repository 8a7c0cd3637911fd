/** Names the gateways that a request has passed; sent to near hosts alone and never to a provider (SPEC 1.7). */
export const LOOP_MARK_HEADER = 'x-holdfast-via';

const MOST_GATEWAYS = 8;
const MARK = /^[0-9a-f]{16}$/;

/** The mark of a gateway, from four draws of chance in [0, 1): 64 bits in hexadecimal digits. */
export function loopMark(draw: () => number): string {
  return Array.from({ length: 4 }, () => Math.floor(draw() * 0x10000).toString(16).padStart(4, '0')).join('');
}

/** Whether a request goes round: it has passed this gateway already, or more of them than anybody sets up. */
export function goesRound(via: string | null, own: string): boolean {
  if (via === null) return false;
  const passed = marksIn(via);
  return passed.includes(own) || passed.length >= MOST_GATEWAYS;
}

/** What the next gateway is told: the marks so far and the own one. */
export function withOwnMark(via: string | null, own: string): string {
  return [...(via === null ? [] : marksIn(via)), own].join(', ');
}

function marksIn(via: string): readonly string[] {
  return via.split(',', MOST_GATEWAYS * 2).map((mark) => mark.trim()).filter((mark) => MARK.test(mark));
}

// Names that no public name server answers for.
const NEAR_NAME = /^(?:[^.]+|(?:.*\.)?(?:localhost|local|lan|internal|intranet|home|corp|home\.arpa))$/;

/** Whether a host of a URL is this machine or its network: loopback, private and link-local addresses, names without a public suffix. Another gateway can only stand there. */
export function isNearHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '').toLowerCase();
  const octets = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(host);
  if (octets !== null) return isPrivateV4(Number(octets[1]), Number(octets[2]));
  // Unique local, link-local, loopback and unspecified; an IPv4 address inside an IPv6 one is near when in doubt.
  if (host.includes(':')) return /^(?:f[cd]|fe[89ab]|::1$|::$|::ffff:)/.test(host);
  return NEAR_NAME.test(host);
}

// RFC 1918, RFC 6598 (shared, also used by overlay networks), loopback, link-local, unspecified.
function isPrivateV4(a: number, b: number): boolean {
  return a === 10 || a === 127 || a === 0 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168) || (a === 169 && b === 254) || (a === 100 && b >= 64 && b <= 127);
}
