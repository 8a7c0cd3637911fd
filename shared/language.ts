/** Languages the app speaks. */
export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language to show for the setting `app.language` and the system's BCP 47 tag: any Chinese is `zh`, all the rest English. */
export function languageFor(setting: 'system' | Language, systemTag: string): Language {
  if (setting !== 'system') return setting;
  return /^zh\b/i.test(systemTag) ? 'zh' : 'en';
}
