import type { App } from '../compose.ts';
import type { Clock, Log } from '../gateway/ports.ts';
import type { LogFile } from '../system/log-file.ts';
import type { SecretFile } from '../system/secret-file.ts';
import type { EndpointKeeper } from './endpoint.ts';
import type { Exports } from './export.ts';
import type { FirstStepsKeeper } from './first-steps.ts';
import type { Texts } from './i18n.ts';
import type { LinkInbox } from './links.ts';
import type { LoginStartKeeper } from './login-start.ts';
import type { Memory } from './memory.ts';
import type { Notices } from './notices.ts';
import type { Quit } from './quit.ts';
import type { RecentFailures } from './recent-failures.ts';
import type { AppTray } from './tray.ts';
import type { Updates } from './updates.ts';
import type { MainWindow } from './window.ts';

/** What the composition root has built for the app. */
export interface DesktopParts {
  /** Store and gateway; nothing listens yet. */
  readonly core: App;
  readonly texts: Texts;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the app's own log is kept. */
  readonly logFile: LogFile;
  readonly dataDir: string;
  readonly secretBox: Pick<SecretFile, 'kind' | 'inClear' | 'sealAll'>;
  /** Links that other programs open the app with. */
  readonly links: LinkInbox;
  /** Begin without a window. */
  readonly hidden: boolean;
}

/** Everything of the running app. */
export interface Desktop {
  readonly parts: DesktopParts;
  readonly memory: Memory;
  readonly window: MainWindow;
  readonly endpoint: EndpointKeeper;
  readonly steps: FirstStepsKeeper;
  readonly quit: Quit;
  readonly tray: AppTray;
  readonly exports: Exports;
  readonly notices: Notices;
  /** The last requests that failed. */
  readonly failures: RecentFailures;
  readonly updates: Updates;
  readonly loginStart: LoginStartKeeper;
  /** Whether the icon in the tray can be seen now. */
  readonly hasTray: () => Promise<boolean>;
}
