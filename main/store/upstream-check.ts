import { normaliseBaseUrl } from '../../shared/base-url.ts';
import type { DocumentFault } from '../../shared/document.ts';
import type { CredentialRef, Upstream, UpstreamDocument } from '../../shared/upstream.ts';
import { faultOf } from './fault-words.ts';
import { secretHint } from './secret-hint.ts';

/** Headers that belong to the connection or to the gateway. */
const OWN_HEADERS = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect', 'accept-encoding', 'content-encoding']);

export type UpstreamCheck = { readonly ok: true; readonly upstream: Upstream } | { readonly ok: false; readonly faults: readonly DocumentFault[] };

/** Makes an upstream of what the schema has let through: normalised, and refused with every fault (SPEC 2.1, 2.2, 2.6). `gatewayPort` is our own. */
export function checkUpstream(document: UpstreamDocument, gatewayPort: number): UpstreamCheck {
  const faults = placeFaults(document, gatewayPort);
  const base = normaliseBaseUrl(document.base_url, document.preset);
  if (!base.ok || faults.length > 0) return { ok: false, faults };
  const { id, name, preset, formats, headers, models, max_in_flight: maxInFlight, enabled } = document;
  const credential: CredentialRef = document.credential.kind === 'stored' ? { kind: 'stored', hint: secretHint(document.credential.value) } : document.credential;
  return { ok: true, upstream: { id, name, preset, baseUrl: base.url, formats: [...new Set(formats)], credential, headers, proxy: document.proxy, models, maxInFlight, enabled } };
}

/** What is wrong with the places an upstream leads to, and with its headers. */
export function placeFaults(document: Pick<UpstreamDocument, 'preset' | 'base_url' | 'proxy' | 'headers'>, gatewayPort: number): DocumentFault[] {
  const faults: DocumentFault[] = [];
  const base = normaliseBaseUrl(document.base_url, document.preset);
  if (!base.ok) faults.push(faultOf('base_url', 'bad_base_url', { reason: base.code }));
  else if (isGateway(base.url, gatewayPort)) faults.push(faultOf('base_url', 'own_address'));
  if (document.preset === 'demo') faults.push(faultOf('preset', 'demo'));
  const proxy = proxyFault(document.proxy, gatewayPort);
  if (proxy !== null) faults.push(faultOf('proxy', proxy));
  for (const header of Object.keys(document.headers)) {
    if (OWN_HEADERS.has(header.toLowerCase())) faults.push(faultOf(`headers.${header}`, 'own_header'));
  }
  return faults;
}

function isGateway(address: string, gatewayPort: number): boolean {
  const url = new URL(address);
  const port = Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port);
  // Also with the dot of a full name, and as an IPv4 address written as an IPv6 one, which the parser turns into hexadecimal.
  return port === gatewayPort && /^(localhost\.?|.*\.localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(0:0|7f[0-9a-f]{2}:[0-9a-f]{1,4})\])$/i.test(url.hostname);
}

function proxyFault(proxy: string, gatewayPort: number): 'bad_proxy' | 'own_address' | null {
  if (proxy === 'system' || proxy === 'none') return null;
  if (!URL.canParse(proxy) || !['http:', 'https:', 'socks5:', 'socks5h:'].includes(new URL(proxy).protocol) || new URL(proxy).hostname === '') return 'bad_proxy';
  return isGateway(proxy, gatewayPort) ? 'own_address' : null;
}
