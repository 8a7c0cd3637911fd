import { z } from 'zod';
import { FOLDERS, LINKS, RESETS, SHORTEST_PASSWORD, type LinkName } from '../../shared/data.ts';
import type { IpcRequests } from '../../shared/ipc.ts';

const nothing = z.null();
const token = z.strictObject({ token: z.uuid() });
const password = z.string().max(1_000);

type DataChannel = Extract<keyof IpcRequests, `document.${string}` | `backups.${string}` | `data.${string}` | `diagnostics.${string}` | `about.${string}`>;

/** What the requests of Settings > Data and About may carry. */
export const dataArguments = {
  'document.open': nothing,
  'document.unlock': token.extend({ password }),
  'document.apply': token,
  'document.forget': token,
  'document.undo': z.strictObject({ undo: z.uuid() }),
  'document.export': z.strictObject({ password: password.min(SHORTEST_PASSWORD).nullable() }),
  'backups.list': nothing,
  'backups.make': nothing,
  'backups.open': z.strictObject({ name: z.string().max(200) }),
  'data.reset': z.strictObject({ what: z.enum(RESETS) }),
  'data.open_folder': z.strictObject({ folder: z.enum(FOLDERS) }),
  'data.notices': nothing,
  'data.notices_seen': nothing,
  'diagnostics.collect': nothing,
  'diagnostics.save': nothing,
  'about.licences': nothing,
  'about.open_link': z.strictObject({ link: z.enum(Object.keys(LINKS) as LinkName[]) }),
} satisfies { readonly [K in DataChannel]: z.ZodType<IpcRequests[K]['argument']> };
