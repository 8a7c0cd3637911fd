import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

export interface HeadlessArguments {
  readonly dataDir: string;
  /** Null leaves the setting in force. */
  readonly port: number | null;
  readonly host: string | null;
  readonly importFile: string | null;
  readonly noRetry: boolean;
}

export type ArgumentsReading =
  | { readonly kind: 'run'; readonly arguments: HeadlessArguments }
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'refused'; readonly reason: string };

type Environment = Readonly<Record<string, string | undefined>>;

export const USAGE = `usage: npm run serve -- [--data-dir DIR] [--port N] [--import FILE] [--host H] [--no-retry]

  --data-dir DIR  where settings, keys and the log are kept (default: the app's folder, or HOLDFAST_DATA_DIR)
  --port N        1024 to 65535, or 0 for any free port (default: the setting gateway.port, or HOLDFAST_PORT)
  --import FILE   takes over a document before it listens: all of it, or nothing and exit code 2;
                  the password of its secrets, if it has any, is read from HOLDFAST_IMPORT_PASSWORD
  --host H        an address of this machine (default: loopback only); beyond loopback a key is always required
  --no-retry      never sends a request again
  --help, --version
`;

/** Reads the command line (SPEC 18.1). */
export function readArguments(argv: readonly string[], environment: Environment, platform: NodeJS.Platform): ArgumentsReading {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        'data-dir': { type: 'string' }, port: { type: 'string' }, import: { type: 'string' }, host: { type: 'string' },
        'no-retry': { type: 'boolean' }, help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' },
      },
    }));
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  for (const name of ['data-dir', 'import', 'host'] as const) if (values[name] === '') return refused(`--${name} is empty`);
  const port = values.port === undefined ? null : readPort(values.port);
  if (port === undefined) return refused(`--port cannot be ${JSON.stringify(values.port)}: allowed is 1024 to 65535, or 0 for any free port`);
  const host = readHost(values.host);
  if (host === undefined) return refused(`--host cannot be ${JSON.stringify(values.host)}: allowed is an IP address of this machine, or localhost`);
  return {
    kind: 'run',
    arguments: {
      dataDir: values['data-dir'] ?? (environment['HOLDFAST_DATA_DIR'] || appFolder(environment, platform)),
      port, host, importFile: values.import ?? null, noRetry: values['no-retry'] === true,
    },
  };
}

/** A port as SPEC 14 allows it without a window; undefined for any other text. */
export function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port === 0 || (port >= 1_024 && port <= 65_535) ? port : undefined;
}

// Both families of loopback are the default, and are what localhost means.
function readHost(text: string | undefined): string | null | undefined {
  if (text === undefined || text === 'localhost') return null;
  return isIP(text) === 0 ? undefined : text;
}

function refused(reason: string): ArgumentsReading {
  return { kind: 'refused', reason };
}

// The folder the app itself uses: both serve the same data, one at a time.
function appFolder(environment: Environment, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Holdfast');
  if (platform === 'win32') return join(environment['APPDATA'] || join(homedir(), 'AppData', 'Roaming'), 'Holdfast');
  return join(environment['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'Holdfast');
}
