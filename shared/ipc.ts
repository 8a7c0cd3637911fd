import type { DocumentFault } from './document.ts';
import type { ExchangeEvent, GatewayState, InFlight } from './events.ts';
import type { FormatName } from './format.ts';
import type { GatewayKey } from './key.ts';
import type { ExchangeRow, LogPage, LogQuery } from './log.ts';
import type { SettingIssue, SettingKey, Settings } from './settings.ts';
import type { CredentialDocument, Upstream } from './upstream.ts';

/** Every request the window can make, once: argument and answer (DESIGN 2). The preload has one function per name, main one handler per name. */
export interface IpcRequests {
  'app.info': { argument: null; answer: AppInfo };
  'gateway.state': { argument: null; answer: GatewayState };
  /** Moves the endpoint to another port (offered when the configured one is taken). */
  'gateway.use_port': { argument: { port: number }; answer: GatewayState };
  'keys.list': { argument: null; answer: readonly GatewayKey[] };
  /** Copying happens in main: no secret comes to the window (SPEC 2.3). */
  'clipboard.copy': { argument: CopyRequest; answer: boolean };
  'settings.all': { argument: null; answer: Settings };
  'settings.set': { argument: { key: SettingKey; value: unknown }; answer: SettingSaved };
  'requests.list': { argument: LogQuery; answer: LogPage };
  'requests.get': { argument: { id: string }; answer: ExchangeRow | null };
  'exchanges.in_flight': { argument: null; answer: readonly InFlight[] };
  /** False when the exchange was not pausing any more. */
  'exchanges.retry_now': { argument: { id: string }; answer: boolean };
  'exchanges.give_up': { argument: { id: string }; answer: boolean };
  'upstreams.list': { argument: null; answer: readonly Upstream[] };
  'upstreams.add': { argument: NewUpstream; answer: UpstreamAdded };
  /** Opens a file dialog; imports all or nothing. */
  'document.import': { argument: null; answer: ImportResult };
  'first_steps.get': { argument: null; answer: FirstSteps };
  'first_steps.dismiss': { argument: null; answer: null };
  /** Sends one request to `demo/flaky` through the real endpoint; answers as soon as it is on its way. */
  'demo.send': { argument: null; answer: DemoSent };
}

/** Every event main sends to the window. Exchange events come in batches, none while the window is hidden. */
export interface IpcEvents {
  'exchanges.events': readonly ExchangeEvent[];
  /** Sent when a hidden window shows again, or to a late one: everything running. */
  'exchanges.snapshot': readonly InFlight[];
  'settings.changed': Settings;
  'gateway.changed': GatewayState;
  'upstreams.changed': readonly Upstream[];
  'first_steps.changed': FirstSteps;
  /** The tray or a menu asks for a page. */
  'app.navigate': PageName;
  /** The system's language or theme preference changed. */
  'app.info_changed': AppInfo;
}

export const PAGE_NAMES = ['overview', 'requests', 'settings'] as const;
export type PageName = (typeof PAGE_NAMES)[number];

export interface AppInfo {
  readonly version: string;
  readonly platform: 'darwin' | 'win32' | 'linux';
  /** BCP 47 tag of the system; used when `app.language` is `system`. */
  readonly systemLanguage: string;
  readonly versions: { readonly electron: string; readonly node: string; readonly chromium: string };
  readonly dataDir: string;
  /** Where secrets are kept: an OS keychain, or the file of SPEC 2.3. */
  readonly secretBox: 'keychain' | 'file';
}

export type CopyRequest =
  | { readonly what: 'address' }
  | { readonly what: 'key'; readonly id: string }
  | { readonly what: 'text'; readonly text: string };

export type SettingSaved =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly issues: readonly SettingIssue[] };

export interface NewUpstream {
  readonly preset: Upstream['preset'];
  readonly name: string;
  readonly base_url: string;
  readonly formats: readonly FormatName[];
  readonly credential: CredentialDocument;
}
export type UpstreamAdded =
  | { readonly ok: true; readonly upstream: Upstream }
  | { readonly ok: false; readonly faults: readonly DocumentFault[] };

export type ImportResult =
  | { readonly kind: 'imported'; readonly file: string; readonly upstreams: number; readonly routes: number; readonly keys: number; readonly settings: number }
  | { readonly kind: 'refused'; readonly file: string; readonly faults: readonly DocumentFault[] }
  | { readonly kind: 'cancelled' };

/** The three steps of the first start (UI.md): true when it has really happened. */
export interface FirstSteps {
  readonly upstreamAdded: boolean;
  /** The address or a key was copied. */
  readonly copied: boolean;
  /** A request came in and was answered. */
  readonly requestAnswered: boolean;
  readonly dismissed: boolean;
}

export type DemoSent = { readonly kind: 'sent' } | { readonly kind: 'failed'; readonly reason: 'gateway_not_running' | 'demo_gone' };

/** Shape of `window.holdfast`, what the preload exposes. */
export type Bridge = {
  readonly request: { readonly [K in keyof IpcRequests]: (argument: IpcRequests[K]['argument']) => Promise<IpcRequests[K]['answer']> };
  readonly on: { readonly [K in keyof IpcEvents]: (listener: (payload: IpcEvents[K]) => void) => () => void };
};
