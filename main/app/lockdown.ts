import { app, session } from 'electron';
import type { Log } from '../gateway/ports.ts';
import { isAllowed, originOf } from './page-address.ts';

/** Closes what no page of ours needs: other addresses, windows, frames, permissions, downloads. Call once, when Electron is ready. */
export function lockDown(log: Log): void {
  const pages = session.defaultSession;
  pages.setPermissionRequestHandler((_contents, _permission, answer) => { answer(false); });
  pages.setPermissionCheckHandler(() => false);
  pages.setDevicePermissionHandler(() => false);
  pages.on('will-download', (event) => { event.preventDefault(); });
  // The page needs nothing from outside; developer tools bring their own scheme.
  pages.webRequest.onBeforeRequest((details, answer) => { answer({ cancel: !isAllowed(details.url) }); });
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(({ url }) => {
      log.warn('a page asked for a new window, refused', { url: originOf(url) });
      return { action: 'deny' };
    });
    const refuse = (event: { preventDefault(): void; readonly url: string }): void => {
      log.warn('a page asked to go elsewhere, refused', { url: originOf(event.url) });
      event.preventDefault();
    };
    contents.on('will-navigate', refuse);
    contents.on('will-frame-navigate', refuse);
    contents.on('will-redirect', refuse);
    contents.on('will-attach-webview', (event) => { event.preventDefault(); });
  });
}
