import { homedir } from 'node:os';
import type { GatewayState } from '../../shared/events.ts';
import type { UpstreamHealth } from '../../shared/health.ts';
import type { AppInfo } from '../../shared/ipc.ts';
import type { LogStatus } from '../../shared/log-status.ts';
import type { Route } from '../../shared/route.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Upstream } from '../../shared/upstream.ts';
import type { DataNotice } from '../../shared/data.ts';

/** Rows of the log that go into the bundle, and lines of the app's own log. */
export const MOST_ROWS = 200;
export const MOST_LINES = 500;

/** What the bundle is made of. */
export interface DiagnosticsFacts {
  /** Ms since 1970. */
  readonly madeAt: number;
  readonly info: AppInfo;
  readonly system: { readonly release: string; readonly arch: string; readonly memoryMb: number; readonly uptimeSecs: number };
  readonly gateway: GatewayState;
  readonly settings: Settings;
  /** Hints in place of secrets already. */
  readonly upstreams: readonly Upstream[];
  readonly routes: readonly Route[];
  readonly keys: number;
  readonly health: readonly UpstreamHealth[];
  /** Rows of the log as JSON, newest first. */
  readonly failed: readonly string[];
  readonly logStatus: LogStatus;
  readonly notices: readonly DataNotice[];
  /** Lines of the app's own log, oldest first. */
  readonly lines: readonly string[];
}

/** The bundle as readable JSON. `mask` takes secrets out of a text; the user's home folder, which may be a name, is written as `~`. */
export function diagnosticsText(facts: DiagnosticsFacts, mask: (text: string) => string, home = homedir()): string {
  const clean = (text: string): string => mask(home.length > 1 ? text.replaceAll(home, '~') : text);
  const bundle = {
    holdfast_diagnostics: 1,
    made_at: new Date(facts.madeAt).toISOString(),
    app: facts.info,
    system: facts.system,
    gateway: facts.gateway,
    settings: facts.settings,
    upstreams: facts.upstreams,
    routes: facts.routes,
    gateway_keys: facts.keys,
    health: facts.health,
    log: facts.logStatus,
    notices: facts.notices,
    failed_requests: facts.failed.slice(0, MOST_ROWS).map(parsedLine),
    app_log: facts.lines.slice(-MOST_LINES).map(parsedLine),
  };
  return `${JSON.stringify(bundle, (_name, value: unknown) => (typeof value === 'string' ? clean(value) : value), 2)}\n`;
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
