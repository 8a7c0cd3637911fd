import type { Clearable, KeptContents } from './contents.ts';
import type { Backup, ChangeUndone, DataNotice, Diagnostics, DiagnosticsSaved, DocumentApplied, DocumentExported, DocumentOpening, DocumentUnlocked, FolderName, Licence, LinkName, Reset, ResetDone } from './data.ts';
import type { LoginStart, Notice } from './desktop.ts';
import type { DryRun, DryRunRequest } from './dry-run.ts';
import type { ExchangeEvent, GatewayState, InFlight } from './events.ts';
import type { ExportOutcome, ExportProgress, ExportRequest } from './export.ts';
import type { Figures, FigureSpan } from './figures.ts';
import type { UpstreamHealth } from './health.ts';
import type { KeySaved, ListedKey } from './key.ts';
import type { LinkTarget, PageName } from './link.ts';
import type { ExchangeRow, LogCount, LogFacets, LogFilter, LogPage, LogQuery, LogView } from './log.ts';
import type { LogStatus } from './log-status.ts';
import type { Price, PriceList, PriceSaved } from './prices.ts';
import type { Route } from './route.ts';
import type { RuleTrial, RuleTrialRequest } from './rule-trial.ts';
import type { SettingIssue, SettingKey, Settings } from './settings.ts';
import type { UpdateState } from './updates.ts';
import type { Upstream } from './upstream.ts';
import type { NewUpstream, PreviewedModel, Restored, RouteDraft, RouteRemoved, RouteSaved, RouteUse, UpstreamDraft, UpstreamRemoved, UpstreamSaved } from './upstream-edits.ts';
import type { ModelsFetched, UpstreamProbe, UpstreamTest } from './upstream-test.ts';

/** Every request the window can make, once: argument and answer (DESIGN 2). The preload has one function per name, main one handler per name. */
export interface IpcRequests {
  'app.info': { argument: null; answer: AppInfo };
  'gateway.state': { argument: null; answer: GatewayState };
  /** Moves the endpoint to another port (offered when the configured one is taken). */
  'gateway.use_port': { argument: { port: number }; answer: GatewayState };
  /** Lets no new requests in, or lets them in again; lasts until the app ends. What runs goes on. */
  'gateway.set_accepting': { argument: { accepting: boolean }; answer: GatewayState };
  'keys.list': { argument: null; answer: readonly ListedKey[] };
  /** Makes a key; it stays in main, whence `clipboard.copy` takes it. */
  'keys.add': { argument: { name: string }; answer: KeySaved };
  'keys.rename': { argument: { id: string; name: string }; answer: KeySaved };
  /** A disabled key ends its exchanges in pauses and queues. */
  'keys.set_disabled': { argument: { id: string; disabled: boolean }; answer: KeySaved };
  /** Gives the key a new value; the old one is unknown from then on. */
  'keys.rotate': { argument: { id: string }; answer: KeySaved };
  /** Cannot be taken back; false when it was gone already. */
  'keys.remove': { argument: { id: string }; answer: boolean };
  /** Copying happens in main: no secret comes to the window (SPEC 2.3). */
  'clipboard.copy': { argument: CopyRequest; answer: boolean };
  'settings.all': { argument: null; answer: Settings };
  'settings.set': { argument: { key: SettingKey; value: unknown }; answer: SettingSaved };
  /** What a list of rules, saved or not, makes of an answer; sends and changes nothing (SPEC 4.7). */
  'rules.try': { argument: RuleTrialRequest; answer: RuleTrial };
  'requests.list': { argument: LogQuery; answer: LogPage };
  'requests.get': { argument: { id: string }; answer: ExchangeRow | null };
  /** Null when nothing is kept of it, or it has not finished. */
  'requests.contents': { argument: { id: string }; answer: KeptContents | null };
  /** Takes finished rows, or the bodies alone, out of the log in small steps; answers when they are gone. */
  'logs.clear': { argument: { what: Clearable }; answer: null };
  /** Stops after about 1.5 s with what it has counted. */
  'requests.count': { argument: { view: LogView; filter: LogFilter }; answer: LogCount };
  'requests.facets': { argument: null; answer: LogFacets };
  'figures.get': { argument: { span: FigureSpan }; answer: Figures };
  /** How the writing of the log goes. */
  'log.status': { argument: null; answer: LogStatus };
  /** Asks for a file and writes what a filter leaves of the log into it; answers when that is over, or cancelled. One that still runs is cancelled. */
  'requests.export': { argument: ExportRequest; answer: ExportOutcome };
  /** Answers when nothing is left of the running export. */
  'requests.export_cancel': { argument: null; answer: null };
  'exchanges.in_flight': { argument: null; answer: readonly InFlight[] };
  /** False when the exchange was not pausing any more. */
  'exchanges.retry_now': { argument: { id: string }; answer: boolean };
  'exchanges.give_up': { argument: { id: string }; answer: boolean };
  'upstreams.list': { argument: null; answer: readonly Upstream[] };
  'upstreams.add': { argument: NewUpstream; answer: UpstreamSaved };
  /** Writes all fields. Clears the health of the upstream (SPEC 9.4); its id stays, whatever its name. */
  'upstreams.update': { argument: { id: string; upstream: UpstreamDraft }; answer: UpstreamSaved };
  /** Takes it out of the routes, too. */
  'upstreams.remove': { argument: { id: string }; answer: UpstreamRemoved };
  /** Takes a removal back: place, secrets and candidates of routes included. */
  'upstreams.restore': { argument: { undo: string }; answer: Restored };
  /** Ids in the new order; those not named follow as they were. Answers the new list. */
  'upstreams.reorder': { argument: { ids: readonly string[] }; answer: readonly Upstream[] };
  /** False when there is none with this id. */
  'upstreams.set_enabled': { argument: { id: string; enabled: boolean }; answer: boolean };
  'upstreams.used_by': { argument: { id: string }; answer: readonly RouteUse[] };
  'upstreams.models': { argument: UpstreamProbe; answer: ModelsFetched };
  /** Takes up to half a minute. A draft that cannot be saved fails at its first step. */
  'upstreams.test': { argument: UpstreamProbe; answer: UpstreamTest };
  'routes.list': { argument: null; answer: readonly Route[] };
  /** Adds a route without an id, replaces one with an id. */
  'routes.save': { argument: RouteDraft; answer: RouteSaved };
  'routes.remove': { argument: { id: string }; answer: RouteRemoved };
  'routes.restore': { argument: { undo: string }; answer: Restored };
  'routes.reorder': { argument: { ids: readonly string[] }; answer: readonly Route[] };
  /** The last 20 different models asked for, newest first, held against a pattern. `id` is the route that is edited, null for a new one. */
  'routes.preview': { argument: { pattern: string; id: string | null }; answer: readonly PreviewedModel[] };
  /** Sends nothing; takes milliseconds (SPEC 9.6). */
  'routes.dry_run': { argument: DryRunRequest; answer: DryRun };
  /** Own prices count for answers that end from then on; what is recorded stays as it is. */
  'prices.list': { argument: null; answer: PriceList };
  /** `replaces` is the model of the own price that was edited, null for a new one. */
  'prices.set': { argument: { price: Price; replaces: string | null }; answer: PriceSaved };
  'prices.remove': { argument: { model: string }; answer: PriceList };
  'health.list': { argument: null; answer: readonly UpstreamHealth[] };
  /** The reset button (SPEC 9.4). */
  'health.reset': { argument: { id: string }; answer: null };
  /** Asks for a file and says what taking it over would change; changes nothing. */
  'document.open': { argument: null; answer: DocumentOpening };
  /** Opens the secrets of a locked document. */
  'document.unlock': { argument: { token: string; password: string }; answer: DocumentUnlocked };
  /** Takes the document over, all or nothing, after a backup. One that is still locked goes without its secrets. */
  'document.apply': { argument: { token: string }; answer: DocumentApplied };
  /** Lets go of the opened document. */
  'document.forget': { argument: { token: string }; answer: null };
  /** Takes an import, a restore or a reset back. */
  'document.undo': { argument: { undo: string }; answer: ChangeUndone };
  /** Asks for a file and writes the configuration into it; without a password the secrets stay out. */
  'document.export': { argument: { password: string | null }; answer: DocumentExported };
  /** Newest first. */
  'backups.list': { argument: null; answer: readonly Backup[] };
  /** Answers the new list. */
  'backups.make': { argument: null; answer: readonly Backup[] };
  /** As `document.open`, with a backup: applying it makes the configuration what it was. */
  'backups.open': { argument: { name: string }; answer: DocumentOpening };
  'data.reset': { argument: { what: Reset }; answer: ResetDone };
  /** False when the system could not open it. */
  'data.open_folder': { argument: { folder: FolderName }; answer: boolean };
  /** What was found at the start that the user has to be told; empty once it was put away. */
  'data.notices': { argument: null; answer: readonly DataNotice[] };
  'data.notices_seen': { argument: null; answer: null };
  /** Collects the bundle; nothing leaves this machine. */
  'diagnostics.collect': { argument: null; answer: Diagnostics };
  /** Asks for a file and writes what was collected last into it. */
  'diagnostics.save': { argument: null; answer: DiagnosticsSaved };
  'about.licences': { argument: null; answer: readonly Licence[] };
  /** Opens one of a few fixed addresses in the browser; false when the system could not. */
  'about.open_link': { argument: { link: LinkName }; answer: boolean };
  'updates.state': { argument: null; answer: UpdateState };
  /** The user asks: what goes wrong is told. Answers when the feed was read. */
  'updates.check': { argument: null; answer: UpdateState };
  /** Downloads what is available: only here, on the user's word. Answers when it begins; `updates.changed` tells the rest. */
  'updates.download': { argument: null; answer: UpdateState };
  /** Quits, after running exchanges, and installs what is ready. Asks the user as quitting does. */
  'updates.install': { argument: null; answer: UpdateState };
  /** What the app has to tell and nobody has seen yet; answered once. Asked when the page has begun to listen, and after `notices.waiting`. */
  'notices.take': { argument: null; answer: readonly Notice[] };
  /** Seals the secrets that lie in clear; rejects when the keychain or the disk refuses. */
  'app.seal_secrets': { argument: null; answer: null };
  /** Whether the setting is in force, and why not. */
  'app.login_start': { argument: null; answer: LoginStart };
  'first_steps.get': { argument: null; answer: FirstSteps };
  'first_steps.dismiss': { argument: null; answer: null };
  /** Sends one request to `demo/flaky` through the real endpoint; answers as soon as it is on its way. */
  'demo.send': { argument: null; answer: DemoSent };
  /** Brings the demo upstream back beside others, or hides it; answers whether it is there now (SPEC 2.8). */
  'demo.set': { argument: { shown: boolean }; answer: boolean };
  /** What the window was opened on, answered once; from then on `link.followed` comes. Asked when the page has begun to listen. */
  'link.take': { argument: null; answer: LinkTarget | null };
}

/** Requests whose answers are large: they travel as JSON text from the thread that reads them, so that the gateway's thread has nothing to do with what is in them. */
export type TextChannel = 'requests.list';

/** Every event main sends to the window. Exchange events come in batches, none while the window is hidden. */
export interface IpcEvents {
  'exchanges.events': readonly ExchangeEvent[];
  /** Sent when a hidden window shows again, or to a late one: everything running. */
  'exchanges.snapshot': readonly InFlight[];
  /** At most once a second, when something was lost, waits, or waits no more. */
  'log.status_changed': LogStatus;
  /** At most five times a second while an export runs. */
  'export.progress': ExportProgress;
  'settings.changed': Settings;
  'gateway.changed': GatewayState;
  'keys.changed': readonly ListedKey[];
  'upstreams.changed': readonly Upstream[];
  'routes.changed': readonly Route[];
  /** At most twice a second while attempts begin and end, none while the window is hidden. */
  'health.changed': readonly UpstreamHealth[];
  'first_steps.changed': FirstSteps;
  'updates.changed': UpdateState;
  /** There is something to take; sent only while the window can be seen. */
  'notices.waiting': null;
  /** The menu asks for the search field of the requests, wherever the window is. */
  'app.search': null;
  /** The tray or a menu asks for a page. */
  'app.navigate': PageName;
  /** The user followed a `holdfast://` link somewhere else. */
  'link.followed': LinkTarget;
  /** The system's language or theme preference changed. */
  'app.info_changed': AppInfo;
}

export { PAGE_NAMES, type PageName } from './link.ts';

export interface AppInfo {
  readonly version: string;
  readonly platform: 'darwin' | 'win32' | 'linux';
  /** BCP 47 tag of the system; used when `app.language` is `system`. */
  readonly systemLanguage: string;
  readonly versions: { readonly electron: string; readonly node: string; readonly chromium: string };
  readonly dataDir: string;
  /** Where secrets are kept: an OS keychain, or the file of SPEC 2.3. */
  readonly secretBox: 'keychain' | 'file';
  /** How many lie unsealed in the file although there is a keychain. */
  readonly secretsInClear: number;
}

export type CopyRequest =
  | { readonly what: 'address' }
  | { readonly what: 'key'; readonly id: string }
  | { readonly what: 'text'; readonly text: string };

export type SettingSaved =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly issues: readonly SettingIssue[] };

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
