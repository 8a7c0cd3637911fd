import type { ImportWarning, ImportWarningKind } from '../../shared/data.ts';
import { applyChange, type ConfigurationChange, type ConfigurationState } from './configuration-state.ts';
import { shownName } from './fault-words.ts';
import type { StoredUpstream } from './upstream-secrets.ts';

/** What a change would open or lead elsewhere: a document may come from somebody else, and its numbers alone do not say so. Changes nothing. */
export function warningsOf(before: ConfigurationState, change: ConfigurationChange): readonly ImportWarning[] {
  const after = applyChange(before, change);
  const was = before.settings;
  const now = after.settings;
  const moved = after.upstreams.filter((entry) => placeOf(before.upstreams.find(({ upstream }) => upstream.id === entry.upstream.id)) !== placeOf(entry));
  const open = (state: ConfigurationState) => state.keys.filter(({ key }) => !key.disabled);
  const openBefore = new Set(open(before).map(({ secretId }) => secretId));
  const added = (key: 'gateway.allowed_origins' | 'gateway.allowed_hosts') => now[key].filter((entry) => !was[key].includes(entry));
  const given: readonly (readonly [ImportWarningKind, boolean, readonly string[]])[] = [
    ['lan', was['gateway.bind'] !== 'lan' && now['gateway.bind'] === 'lan', []],
    ['no_key', was['gateway.require_key'] && !now['gateway.require_key'], []],
    ['bodies', was['logs.bodies'] !== now['logs.bodies'] && now['logs.bodies'] !== 'off', []],
    ['origins', true, added('gateway.allowed_origins')],
    ['hosts', true, added('gateway.allowed_hosts')],
    ['keys', true, open(after).filter(({ secretId }) => !openBefore.has(secretId)).map(({ key }) => key.name)],
    ['places', true, moved.map(({ upstream }) => `${upstream.name} (${hostOf(upstream.baseUrl)}${URL.canParse(upstream.proxy) ? `, ${hostOf(upstream.proxy)}` : ''})`)],
    ['environment', true, moved.flatMap(({ upstream: { name, credential } }) => (credential.kind === 'env' ? [`${credential.name} (${name})`] : []))],
  ];
  return given.flatMap(([kind, is, names]) => (is && (names.length > 0 || NAMELESS.has(kind)) ? [{ kind, names: names.map(shownName) }] : []));
}

const NAMELESS: ReadonlySet<ImportWarningKind> = new Set(['lan', 'no_key', 'bodies']);

// Where its requests go, and what goes with them out of the environment.
function placeOf(entry: StoredUpstream | undefined): string | null {
  if (entry === undefined) return null;
  const { baseUrl, proxy, credential } = entry.upstream;
  return JSON.stringify([baseUrl, proxy, credential.kind === 'env' ? credential.name : null]);
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
