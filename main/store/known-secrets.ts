import { isSecretHeader } from '../../shared/mask.ts';
import type { Credentials } from '../gateway/ports.ts';
import type { Memory } from './memory.ts';
import type { SecretBox } from './secret-box.ts';

/** Every secret of this installation by its value, for what masks texts; also those that were in use since the process began. From memory, the same list until it changes. */
export interface KnownSecrets { all(): readonly string[] }

export function createKnownSecrets(memory: Memory, secretBox: SecretBox, credentials: Credentials): KnownSecrets {
  let all: readonly string[] = [];

  const follow = (): void => {
    const { upstreams, keys } = memory.state();
    const now = [
      ...keys.map(({ secretId }) => secretBox.get(secretId)).flatMap((secret) => (secret.kind === 'value' ? [secret.value] : [])),
      ...upstreams.flatMap(({ upstream }) => {
        const credential = credentials.of(upstream);
        return [
          ...(credential.kind === 'secret' ? [credential.value] : []),
          ...Object.entries(upstream.headers).flatMap(([name, value]) => (isSecretHeader(name) ? [value, value.replace(/^(?:bearer|basic)\s+/i, '')] : [])),
          ...inAddress(upstream.proxy),
          ...inAddress(upstream.baseUrl),
        ];
      }),
    ];
    // An exchange that began with a secret that is gone since may end after it.
    const known = new Set([...all, ...now]);
    if (known.size > all.length) all = [...known];
  };

  follow();
  memory.onChange((parts) => { if (parts.has('upstreams') || parts.has('keys')) follow(); });
  return { all: () => all };
}

// As it is written there, and as it was meant.
function inAddress(address: string): readonly string[] {
  const { username, password, search } = URL.canParse(address) ? new URL(address) : { username: '', password: '', search: '' };
  const named = [...new URLSearchParams(search)].flatMap(([name, value]) => (isSecretHeader(name) ? [value] : []));
  return [password, username.length >= LEAST_USER ? username : '', ...named].filter((part) => part !== '').flatMap((part) => [part, decoded(part)]);
}

// A key may stand in the place of the user; a name does not have to be hidden.
const LEAST_USER = 16;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
