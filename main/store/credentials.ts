import type { Upstream } from '../../shared/upstream.ts';
import type { CredentialLookup, Credentials } from '../gateway/ports.ts';
import type { Memory } from './memory.ts';
import type { SecretBox } from './secret-box.ts';
import { credentialId } from './upstream-secrets.ts';

/** Looks up the secret of an upstream at the moment it is asked (SPEC 2.4); `environment` is `process.env`. */
export function createCredentials(memory: Memory, secretBox: SecretBox, environment: Readonly<Record<string, string | undefined>>): Credentials {
  const storedSecret = (upstream: Upstream): CredentialLookup => {
    const stored = memory.state().upstreams.find((entry) => entry.upstream.id === upstream.id);
    const id = stored === undefined ? null : credentialId(stored);
    const secret = id === null ? { kind: 'absent' as const } : secretBox.get(id);
    if (secret.kind === 'value') return { kind: 'secret', value: secret.value };
    return { kind: 'unusable', code: secret.kind === 'sealed' ? 'credential.sealed' : 'credential.missing' };
  };

  return {
    of: (upstream) => {
      const { credential } = upstream;
      switch (credential.kind) {
        case 'stored': return storedSecret(upstream);
        case 'env': {
          const value = environment[credential.name]?.trim();
          return value === undefined || value === '' ? { kind: 'unusable', code: 'credential.env_missing' } : { kind: 'secret', value };
        }
        case 'client': return { kind: 'client' };
        case 'none': return { kind: 'none' };
      }
    },
  };
}
