import i18next from 'i18next';
import type { Language } from '../../shared/language.ts';
import en from '../../locales/en.json' with { type: 'json' };
import zh from '../../locales/zh.json' with { type: 'json' };

/** Gives the text of a key in the current language; numbers go in by name, `count` chooses the plural. */
export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

export interface Texts {
  readonly t: Translate;
  language(): Language;
  /** Switches every text that is asked for from now on. */
  use(language: Language): void;
}

/** The words of menus, tray and dialogs. */
export function createTexts(language: Language): Texts {
  const texts = i18next.createInstance();
  void texts.init({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: en }, zh: { translation: zh } },
    // Native menus and dialogs show plain text.
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  let current = language;
  return {
    t: (key, values) => texts.t(key, { ...values }),
    language: () => current,
    use(next) {
      current = next;
      void texts.changeLanguage(next);
    },
  };
}
