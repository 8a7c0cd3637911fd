/** Runs a program and gives what it wrote; rejects when it is not there, fails, or takes longer than two seconds. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

const WATCHER = 'org.kde.StatusNotifierWatcher';
const BUS = 'org.freedesktop.DBus';

// Any of them is enough; which one is there differs between desktops.
const QUESTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['dbus-send', ['--session', '--print-reply', '--reply-timeout=1000', `--dest=${BUS}`, '/', `${BUS}.NameHasOwner`, `string:${WATCHER}`]],
  ['gdbus', ['call', '--session', '--timeout', '1', '--dest', BUS, '--object-path', '/', '--method', `${BUS}.NameHasOwner`, WATCHER]],
  ['busctl', ['--user', 'call', BUS, '/', BUS, 'NameHasOwner', 's', WATCHER]],
];

/**
 * Whether an icon in the tray can be seen. macOS and Windows always have a tray; on Linux a desktop may have none, Electron does not tell, and a window
 * that hides then would be lost. Where nobody can be asked there is none.
 */
export async function hasTrayHost(platform: NodeJS.Platform, run: RunProgram): Promise<boolean> {
  if (platform !== 'linux') return true;
  for (const [program, args] of QUESTIONS) {
    const answer = await run(program, args).catch(() => null);
    if (answer !== null) return /\btrue\b/.test(answer);
  }
  return false;
}
