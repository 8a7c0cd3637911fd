import { join, sep } from 'node:path';

export const APP_SCHEME = 'app';
const HOST = 'holdfast';
/** Origin of the app's own page: the only one that is ever loaded, and the only one that may call main. */
export const APP_ORIGIN = `${APP_SCHEME}://${HOST}`;

/** The file that an address of ours stands for; null when it is not ours or leads out of the folder. */
export function fileFor(url: string, folder: string): string | null {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || address.protocol !== `${APP_SCHEME}:` || address.host !== HOST) return null;
  const path = decode(address.pathname);
  if (path === null || path.includes('\0') || path.includes('\\')) return null;
  const file = join(folder, path === '/' ? 'index.html' : path);
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? file : null;
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** Whether a page may load this address. */
export function isAllowed(url: string): boolean {
  return url.startsWith(`${APP_ORIGIN}/`) || url.startsWith('devtools://') || url.startsWith('data:image/');
}

/** Scheme and host of an address, for the log. */
export function originOf(url: string): string {
  if (!URL.canParse(url)) return 'unreadable';
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
