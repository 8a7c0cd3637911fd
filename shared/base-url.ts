import { azureTarget, normaliseAzureUrl } from './azure-url.ts';
import type { UpstreamPreset } from './upstream.ts';

/** Why an address was refused. Closed: also i18n keys under `base_url`. */
export const BASE_URL_FAULTS = ['not_a_url', 'scheme', 'credentials', 'query'] as const;
export type BaseUrlFault = (typeof BASE_URL_FAULTS)[number];

export type BaseUrlReading =
  | { readonly ok: true; /** Scheme, host, port and path; no trailing slash, no `/v1`. */ readonly url: string }
  | { readonly ok: false; readonly code: BaseUrlFault; /** English, to follow "base_url ". */ readonly reason: string };

const REASONS: Readonly<Record<BaseUrlFault, string>> = {
  not_a_url: 'is not an address that can be read',
  scheme: 'has to begin with http:// or https://',
  credentials: 'must not hold a user name or password; they belong into the credential or a header',
  query: 'must not have a query or a fragment',
};

/**
 * Brings the address of an upstream into one form (SPEC 2.2): with or without `/v1` and trailing slashes it means the same.
 * Of the presets only Azure's has a form of its own.
 */
export function normaliseBaseUrl(text: string, preset?: UpstreamPreset): BaseUrlReading {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed)) return refused(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) || URL.canParse(`http://${trimmed}`) ? 'scheme' : 'not_a_url');
  if (!URL.canParse(trimmed)) return refused('not_a_url');
  const parsed = new URL(trimmed);
  if (parsed.username !== '' || parsed.password !== '') return refused('credentials');
  const azure = preset === 'azure_openai' ? normaliseAzureUrl(parsed) : null;
  if (azure !== null) return { ok: true, url: azure };
  if (/[?#]/.test(trimmed)) return refused('query');
  const path = parsed.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '').replace(/\/v1(beta)?$/, '');
  return { ok: true, url: `${parsed.protocol}//${parsed.host}${path}` };
}

function refused(code: BaseUrlFault): BaseUrlReading {
  return { ok: false, code, reason: REASONS[code] };
}

/**
 * Path and query to ask for at an upstream: the path of its base URL, then the target (`/v1/messages?beta=true`), bytes unchanged.
 * `baseUrl` is normalised.
 * A base that already ends in another version (`/api/v3`) takes the place of the target's `/v1`. `model` is what is asked for.
 */
export function joinTarget(baseUrl: string, target: string, preset?: UpstreamPreset, model: string | null = null): string {
  if (preset === 'azure_openai') return azureTarget(baseUrl, target, model);
  // A normalised address has nothing behind its path, and no slash at its end.
  const slash = baseUrl.indexOf('/', baseUrl.indexOf('://') + 3);
  const path = slash < 0 ? '' : baseUrl.slice(slash).replace(/\/$/, '');
  return `${path}${/\/v\d+$/.test(path) ? target.replace(/^\/v1(?=[/?]|$)/, '') : target}`;
}
