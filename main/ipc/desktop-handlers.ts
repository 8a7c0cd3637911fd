import type { Handlers } from './serve.ts';

type DesktopChannel = Extract<keyof Handlers, `updates.${string}` | 'notices.take' | 'app.login_start' | 'app.seal_secrets'>;

/** What stands behind the app's place on the desktop: updates, what it has to tell, and how it starts. */
export interface DesktopReach {
  readonly updates: {
    state(): ReturnType<Handlers['updates.state']>;
    check(): ReturnType<Handlers['updates.check']>;
    download(): ReturnType<Handlers['updates.download']>;
    install(): ReturnType<Handlers['updates.install']>;
  };
  takeNotices(): ReturnType<Handlers['notices.take']>;
  sealSecrets(): void;
  loginStart(): ReturnType<Handlers['app.login_start']>;
}

/** The functions behind the window's requests about them. */
export function createDesktopHandlers({ updates, takeNotices, loginStart, sealSecrets }: DesktopReach): Pick<Handlers, DesktopChannel> {
  return {
    'updates.state': () => updates.state(),
    'updates.check': () => updates.check(),
    'updates.download': () => updates.download(),
    'updates.install': () => updates.install(),
    'notices.take': () => takeNotices(),
    'app.seal_secrets': () => {
      sealSecrets();
      return null;
    },
    'app.login_start': () => loginStart(),
  };
}
