import type { ConfigurationState } from './configuration-state.ts';
import { sealSecrets, type DocumentSecrets } from './document-secrets.ts';
import type { SecretBox } from './secret-box.ts';
import { credentialId, secretParts, withoutSecrets, type StoredUpstream } from './upstream-secrets.ts';

/** The configuration as text, in the words of the import document (SPEC 18.2), without secrets: hints stand in their place. */
export function documentText(state: ConfigurationState): string {
  return textOf(plainDocument(state));
}

/** The configuration with its secrets, encrypted with a password. `unreadable` names what has secrets that this process cannot read. */
export async function lockedDocumentText(state: ConfigurationState, secretBox: SecretBox, password: string): Promise<{ readonly text: string; readonly secrets: number; readonly unreadable: readonly string[] }> {
  const unreadable: string[] = [];
  const secrets = secretsOf(state, secretBox, unreadable);
  const count = secrets.keys.length + secrets.upstreams.reduce((sum, { credential, proxy, headers }) => sum + (credential === null ? 0 : 1) + (proxy === null ? 0 : 1) + headers.length, 0);
  return { text: textOf({ ...plainDocument(state), secrets: await sealSecrets(secrets, password) }), secrets: count, unreadable };
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function plainDocument(state: ConfigurationState): object {
  return {
    holdfast: 1,
    settings: state.settings,
    upstreams: state.upstreams.map(plainUpstream),
    routes: state.routes,
    keys: state.keys.map(({ key }) => ({ name: key.name, hint: key.hint, ...(key.disabled && { disabled: true }) })),
  };
}

function plainUpstream({ upstream, unreadable = {} }: StoredUpstream): object {
  const parts = secretParts(upstream);
  const { baseUrl, maxInFlight, headers, proxy, credential, ...rest } = withoutSecrets(upstream);
  const withheld = [...[...parts.headers.map(([name]) => name), ...Object.keys(unreadable)].map((name) => `header:${name.toLowerCase()}`), ...(parts.proxy === null ? [] : ['proxy'])];
  return {
    ...rest, base_url: baseUrl, max_in_flight: maxInFlight,
    credential: credential.kind === 'stored' ? { kind: 'withheld', hint: credential.hint } : credential,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !parts.headers.some(([secret]) => secret === name))),
    proxy: parts.proxy === null ? proxy : parts.proxyHost,
    ...(withheld.length > 0 && { withheld }),
  };
}

function secretsOf(state: ConfigurationState, secretBox: SecretBox, unreadable: string[]): DocumentSecrets {
  const read = (id: string, name: string): string | null => {
    const secret = secretBox.get(id);
    if (secret.kind === 'value') return secret.value;
    unreadable.push(name);
    return null;
  };
  return {
    upstreams: state.upstreams.flatMap((entry) => {
      const { upstream } = entry;
      const parts = secretParts(upstream);
      const id = credentialId(entry);
      const credential = id === null ? null : read(id, upstream.name);
      if ((upstream.credential.kind === 'stored' && id === null) || entry.unreadable !== undefined) unreadable.push(upstream.name);
      if (credential === null && parts.proxy === null && parts.headers.length === 0) return [];
      return [{ id: upstream.id, base_url: upstream.baseUrl, proxy_host: parts.proxy === null ? upstream.proxy : parts.proxyHost, credential, proxy: parts.proxy, headers: parts.headers.map(([name, value]): [string, string] => [name, value]) }];
    }),
    keys: state.keys.flatMap(({ key, secretId }) => {
      const value = read(secretId, key.name);
      return value === null ? [] : [{ name: key.name, key: value }];
    }),
  };
}
