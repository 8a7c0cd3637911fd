import { join } from 'node:path';
import { app } from 'electron';
import { languageFor } from '../shared/language.ts';
import { settleDataDir } from './app/data-dir.ts';
import { startDesktop } from './app/desktop.ts';
import { tellRefusal } from './app/dialogs.ts';
import { createTexts } from './app/i18n.ts';
import { createLinkInbox, linkAmong, LINK_SCHEME, mayHandOver } from './app/links.ts';
import { lockDown } from './app/lockdown.ts';
import { declareScheme, serveScheme } from './app/scheme.ts';
import { openSecretBox } from './app/secrets.ts';
import { systemLanguage } from './app/system-language.ts';
import { compose } from './compose.ts';
import { systemClock } from './system/clock.ts';
import { createLogFile } from './system/log-file.ts';
import { bothOf, createLog, standardError } from './system/log.ts';
import { systemRandom } from './system/random.ts';

declareScheme();
// Without it Windows shows no notifications; the same name as in the installer.
if (process.platform === 'win32') app.setAppUserModelId('app.holdfast.desktop');
const dataDir = settleDataDir();
const logFile = createLogFile(join(dataDir, 'log'));
const log = createLog(bothOf(standardError(), logFile));

// As without a window: a process that has lost its way ends, and the next start is told by rows that were interrupted.
for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(kind, (error: unknown) => {
    log.error('something unforeseen happened, the app ends', { kind, error: error instanceof Error ? error.stack ?? error.message : String(error) });
    app.exit(1);
  });
}

const links = createLinkInbox();
const named = linkAmong(process.argv);
const ownLink = named !== null && links.arrive(named) ? named : null;
if (named !== null && ownLink === null) log.warn('the app was started with a link that leads nowhere, ignored');
// macOS hands links over by an event, at a start before Electron is ready.
app.on('open-url', (event, url) => {
  event.preventDefault();
  if (!links.arrive(url)) log.warn('a link that leads nowhere was ignored');
});

// A second start hands over to the first, which shows its window. Of its arguments we look at the link alone.
if (!mayHandOver(process.argv)) {
  log.error('the arguments are too long to be ours, the app does not start');
  app.exit(1);
} else if (app.requestSingleInstanceLock({ link: ownLink })) {
  void app.whenReady().then(main).catch((error: unknown) => {
    log.error('the app could not start', { error: error instanceof Error ? error.stack ?? error.message : String(error) });
    app.exit(1);
  });
} else {
  app.quit();
}

async function main(): Promise<void> {
  lockDown(log);
  // Elsewhere the package tells the system. The two hyphens end the options, so that a link can never be one.
  if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--']);
  serveScheme(join(app.getAppPath(), 'out', 'renderer'));
  const texts = createTexts(languageFor('system', systemLanguage()));
  const secretBox = openSecretBox(dataDir);
  const composed = await compose({ dataDir, secretBox, clock: systemClock, random: systemRandom, log, version: app.getVersion() });
  if (composed.kind !== 'open') {
    log.error('the data folder cannot be opened', { ...composed });
    await tellRefusal(composed, texts.t);
    app.exit(1);
    return;
  }
  // Only now: a folder that was refused stays as it was.
  logFile.maskWith(composed.app.store.mask);
  logFile.begin();
  log.info('the app has started', { version: app.getVersion(), electron: process.versions.electron, platform: process.platform, arch: process.arch });
  await startDesktop({ core: composed.app, texts, log, logFile, dataDir, clock: systemClock, secretBox, links, hidden: process.argv.includes('--hidden') });
}
