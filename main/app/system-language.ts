import { app } from 'electron';

/** BCP 47 tag of the language the user prefers on this system. */
export function systemLanguage(): string {
  return app.getPreferredSystemLanguages()[0] ?? app.getLocale();
}
