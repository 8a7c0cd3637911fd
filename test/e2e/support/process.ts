import { spawn, type ChildProcess } from 'node:child_process';
import { runnableApp, userEnv } from './app.ts';

/** The app as a bare process: for starts that hand over, or are refused. */
export interface AppProcess {
  readonly child: ChildProcess;
  /** Exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** The fields of the first log line with this message, as soon as it is written. Rejects when the process ends before. */
  logged(message: string): Promise<Readonly<Record<string, unknown>>>;
}

/** Starts the app on a data folder without attaching to it. */
export async function spawnApp(dataDir: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<AppProcess> {
  const { executablePath, args: first } = await runnableApp();
  const child = spawn(executablePath, [...first, ...args], { env: userEnv(dataDir, env), stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  let look = (): void => undefined;
  child.stderr.on('data', (bytes: Buffer) => { text += bytes.toString(); look(); });
  const ended = new Promise<number | null>((resolve) => { child.once('close', resolve); });
  return {
    child, ended,
    logged: (message) => new Promise((resolve, reject) => {
      look = () => {
        for (const line of text.split('\n')) {
          if (!line.startsWith('{') || !line.includes(message)) continue;
          resolve(JSON.parse(line) as Record<string, unknown>);
          return;
        }
      };
      look();
      void ended.then((code) => { reject(new Error(`ended with ${code} and without "${message}":\n${text}`)); });
    }),
  };
}
