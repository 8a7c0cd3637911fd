import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoginStart } from '../../shared/desktop.ts';

/** Whether the app shall start when the user logs in, and whether without a window. */
export interface LoginWish { readonly on: boolean; readonly hidden: boolean }

/** The way of one system to start an app at login. Each rejects with the system's reason. */
export interface LoginStarter {
  apply(wish: LoginWish): Promise<void>;
  state(): Promise<'on' | 'off' | 'blocked'>;
}

/** Name of the file in the autostart folder. */
export const AUTOSTART_FILE = 'holdfast.desktop';

/** The argument of a start without a window. */
export const HIDDEN_ARGUMENT = '--hidden';

/** Start at login on Linux: a file in this autostart folder, and none when it is off. */
export function autostartFolder(folder: string, executable: string): LoginStarter {
  const file = join(folder, AUTOSTART_FILE);
  const read = (): Promise<string | null> => readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  return {
    apply: async ({ on, hidden }) => {
      const there = await read();
      if (!on) {
        // Another copy of the app, with settings of its own, may have put an entry there.
        if (there?.includes(`\nExec=${execArgument(executable)}`) === true) await rm(file, { force: true });
        return;
      }
      const wanted = autostartEntry(executable, hidden);
      if (there === wanted) return;
      await mkdir(folder, { recursive: true });
      await writeFile(file, wanted, { mode: 0o644 });
    },
    state: async () => {
      const text = await read();
      if (text === null) return 'off';
      // Desktops turn an entry off by a line of their own instead of deleting it.
      return /^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(text) ? 'blocked' : 'on';
    },
  };
}

/** The desktop entry that starts this executable at login. */
export function autostartEntry(executable: string, hidden: boolean): string {
  const lines = ['[Desktop Entry]', 'Type=Application', 'Name=Holdfast', `Exec=${execArgument(executable)}${hidden ? ` ${HIDDEN_ARGUMENT}` : ''}`, 'Terminal=false', 'X-GNOME-Autostart-enabled=true'];
  return `${lines.join('\n')}\n`;
}

// Two readings stand over each other: that of values in the file (a backslash), and that of arguments (quotes, and a percent sign for fields).
function execArgument(path: string): string {
  const quoted = path.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${quoted.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}"`;
}

export interface LoginStartKeeper {
  /** Brings the system in line with a wish. Never rejects: what went wrong is told by `state`. */
  follow(wish: LoginWish): Promise<void>;
  state(): Promise<LoginStart>;
}

/** Keeps the start at login as the settings say. `starter` null: the app runs from its sources. */
export function createLoginStart(starter: LoginStarter | null, failed: (reason: string) => void): LoginStartKeeper {
  let followed = '';
  let fault: string | null = null;
  let last: Promise<void> = Promise.resolve();
  return {
    follow: (wish) => {
      const next = JSON.stringify(wish);
      if (starter === null || next === followed) return last;
      followed = next;
      last = last.then(() => starter.apply(wish)).then(() => { fault = null; }, (error: unknown) => {
        fault = error instanceof Error ? error.message : String(error);
        failed(fault);
      });
      return last;
    },
    state: async () => {
      if (starter === null) return { kind: 'cannot', why: 'not_packaged' };
      await last;
      if (fault !== null) return { kind: 'cannot', why: 'failed', reason: fault };
      return starter.state().then((kind): LoginStart => ({ kind }), (error: unknown) => ({ kind: 'cannot', why: 'failed', reason: String(error) }));
    },
  };
}
