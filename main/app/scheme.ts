import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { protocol } from 'electron';
import { APP_SCHEME, fileFor } from './page-address.ts';

/** What the page may do. Everything comes from the app itself; style attributes are allowed, scripts and styles of strangers are not. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Makes the scheme a real origin. Has to run before Electron is ready. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
}

/** Serves the page's files from this folder, with the security headers on every answer. */
export function serveScheme(folder: string): void {
  protocol.handle(APP_SCHEME, async ({ url, method }) => {
    const file = method === 'GET' ? fileFor(url, folder) : null;
    const type = file === null ? undefined : CONTENT_TYPES[extname(file)];
    if (file === null || type === undefined) return refused();
    const body = await readFile(file).catch(() => null);
    return body === null ? refused() : new Response(new Uint8Array(body), { headers: { ...SECURITY_HEADERS, 'content-type': type } });
  });
}

function refused(): Response {
  return new Response('', { status: 404, headers: SECURITY_HEADERS });
}
