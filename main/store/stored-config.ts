import type { Configuration } from '../gateway/ports.ts';
import type { ConfigurationState } from './configuration-state.ts';
import type { ConfigurationPart, Memory } from './memory.ts';

/** The configuration as the gateway reads it, and who is told of its changes. */
export interface StoredConfig extends Configuration {
  /** Told when a change is on disk and in force; the answer ends it. */
  onChange(listener: (parts: ReadonlySet<ConfigurationPart>) => void): () => void;
}

/** Reads it from memory. */
export function configOf(memory: Memory): StoredConfig {
  const state = (): ConfigurationState => memory.state();
  let seen: ConfigurationState['upstreams'] | null = null;
  let list: ReturnType<Configuration['upstreams']> = [];
  return {
    settings: () => state().settings,
    routes: () => state().routes,
    upstreams: () => {
      // The same list until it changes, so that one can tell by looking whether it has.
      const { upstreams } = state();
      if (upstreams !== seen) list = upstreams.map((entry) => entry.upstream);
      seen = upstreams;
      return list;
    },
    upstream: (id) => state().upstreams.find((entry) => entry.upstream.id === id)?.upstream ?? null,
    onChange: (listener) => memory.onChange(listener),
  };
}
