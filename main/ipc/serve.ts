import { ipcMain, type WebContents } from 'electron';
import type { IpcRequests, TextChannel } from '../../shared/ipc.ts';
import type { Log } from '../gateway/ports.ts';
import { argumentSchemas, parseArgument } from './arguments.ts';
import { isOurPage } from './sender.ts';

type Sent<K extends keyof IpcRequests> = K extends TextChannel ? string : IpcRequests[K]['answer'];

/** One typed function per request of the window. */
export type Handlers = { readonly [K in keyof IpcRequests]: (argument: IpcRequests[K]['argument']) => Sent<K> | Promise<Sent<K>> };

export interface ServeParts {
  readonly handlers: Handlers;
  readonly log: Log;
  /** The only origin that is answered. */
  readonly origin: string;
  /** The window's contents, null while there is no window. */
  page(): WebContents | null;
}

/** Answers the window's requests. Anybody else is refused, and so is an argument of the wrong shape. */
export function serveRequests(parts: ServeParts): void {
  for (const channel of Object.keys(argumentSchemas) as (keyof IpcRequests)[]) {
    ipcMain.handle(channel, (event, raw: unknown) => {
      if (!isOurPage(event, parts.page(), parts.origin)) {
        parts.log.warn('a request of a stranger, refused', { channel });
        throw new Error(`${channel} refused: not sent by the app's own page`);
      }
      return answer(parts, channel, raw);
    });
  }
}

async function answer<K extends keyof IpcRequests>({ handlers, log }: ServeParts, channel: K, raw: unknown): Promise<Sent<K>> {
  const argument = parseArgument(channel, raw);
  try {
    return await handlers[channel](argument);
  } catch (error) {
    log.error('a request of the window failed', { channel, error: error instanceof Error ? error.stack ?? error.message : String(error) });
    throw error;
  }
}
