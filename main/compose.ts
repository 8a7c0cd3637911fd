import type { GatewayState } from '../shared/events.ts';
import type { Settings } from '../shared/settings.ts';
import type { Upstream } from '../shared/upstream.ts';
import { DEMO_UPSTREAM_ID, withDemo, type DemoChoice } from './demo/demo-upstream.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import type { Clock, Configuration, Log, Random } from './gateway/ports.ts';
import type { ConfigurationPart } from './store/memory.ts';
import type { StoreRefusal } from './store/protocol.ts';
import type { SecretBox } from './store/secret-box.ts';
import { openPriceBook, type PriceBook } from './prices/price-book.ts';
import { openStore, type Store } from './store/store.ts';
import { withoutSecrets } from './store/upstream-secrets.ts';

export interface ComposeParts {
  readonly dataDir: string;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly version: string;
  /** Allows port 0: for processes without a window (SPEC 14). */
  readonly anyPort?: boolean;
  /** What this process uses instead of some stored settings (SPEC 8.7); the stored ones stay what they are. */
  readonly override?: (settings: Settings) => Settings;
}

/** What the gateway and the window read: the stored configuration with overrides, and the demo upstream while there is no other. */
export interface AppConfiguration extends Configuration {
  /** The upstreams as the window may see them: hints in place of secrets (SPEC 2.3). */
  shownUpstreams(): readonly Upstream[];
  /** Told when a change is in force, the demo upstream included; the answer ends it. */
  onChange(listener: (parts: ReadonlySet<ConfigurationPart>) => void): () => void;
}

/** Store, demo upstream and gateway, joined: what the app and the headless process have in common. */
export interface App {
  readonly store: Store;
  readonly config: AppConfiguration;
  readonly prices: PriceBook;
  readonly gateway: Gateway;
  /** Brings the demo back beside other upstreams, or hides it; answers whether it is there now (SPEC 2.8). Rejects when the choice cannot be written. */
  showDemo(shown: boolean): Promise<boolean>;
  /** Opens the endpoint where the settings say. The places given stand above them. */
  start(place?: { readonly port?: number; readonly host?: string }): Promise<GatewayState>;
  /** After the gateway has stopped: ends the demo and closes the store. Everything is on disk when it resolves. */
  close(): Promise<void>;
}

export type Composed = { readonly kind: 'open'; readonly app: App } | StoreRefusal;

/** Opens the store of a data folder and builds the gateway on it; nothing listens yet. A refusal of the store leaves everything as it was. */
export async function compose(parts: ComposeParts): Promise<Composed> {
  const { clock, random, log, version } = parts;
  const opening = await openStore(parts);
  if (opening.kind !== 'open') return opening;
  const { store } = opening;
  const demo = withDemo(overridden(store.config, parts.override), clock, log, () => demoChoice(store));
  await demo.follow();

  const listeners = new Set<(changed: ReadonlySet<ConfigurationPart>) => void>();
  const isThere = (): boolean => demo.upstream(DEMO_UPSTREAM_ID) !== null;
  let wasThere = isThere();
  store.config.onChange((changed) => {
    void demo.follow().then(() => {
      const parts = new Set(changed);
      if (isThere() !== wasThere) parts.add('upstreams');
      wasThere = isThere();
      for (const listener of [...listeners]) listener(parts);
    });
  });
  const config: AppConfiguration = {
    settings: demo.settings,
    routes: demo.routes,
    upstreams: demo.upstreams,
    upstream: demo.upstream,
    shownUpstreams: () => demo.upstreams().map(withoutSecrets),
    onChange: (listener) => {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
  };
  const prices = openPriceBook(store.appState);
  const gateway = createGateway({ costOf: prices.costOf, clock, random, journal: store.journal, contents: store.journal, config, keys: store.keys, credentials: store.credentials, seals: store.seals, log, version, rowsDropped: () => store.journal.losses().rows });
  let before = config.upstreams();
  const followUpstreams = (): void => {
    // Every edit makes a new object, so what is not the same object any more starts with a clean slate (SPEC 9.4).
    const now = config.upstreams();
    for (const upstream of before) if (!now.includes(upstream)) gateway.forgetHealth(upstream.id);
    before = now;
    gateway.upstreamsChanged();
  };
  // At once, so that who has saved an edit finds it in force; and again when the demo has followed.
  store.config.onChange(followUpstreams);
  config.onChange(followUpstreams);

  return {
    kind: 'open',
    app: {
      store,
      config,
      prices,
      gateway,
      showDemo: async (shown) => {
        // What would be so anyway is left to itself: the demo still goes when the first real upstream comes.
        const choice: DemoChoice = shown === (store.config.upstreams().length === 0) ? null : shown ? 'shown' : 'hidden';
        await store.appState.set(DEMO_KEY, choice);
        await demo.follow();
        return isThere();
      },
      start: (place = {}) => {
        const settings = config.settings();
        const host = place.host ?? (settings['gateway.bind'] === 'lan' ? '::' : null);
        return gateway.listen({ port: place.port ?? settings['gateway.port'], host });
      },
      close: async () => {
        await demo.close();
        await store.close();
      },
    },
  };
}

const DEMO_KEY = 'demo';

function demoChoice({ appState }: Store): DemoChoice {
  const choice = appState.get(DEMO_KEY);
  return choice === 'shown' || choice === 'hidden' ? choice : null;
}

// The settings object stays the same until it changes, as that of the store does.
function overridden(config: Configuration, override: ComposeParts['override']): Configuration {
  if (override === undefined) return config;
  let from: Settings | null = null;
  let settings: Settings;
  return {
    ...config,
    settings: () => {
      const stored = config.settings();
      if (stored !== from) settings = override(stored);
      from = stored;
      return settings;
    },
  };
}
