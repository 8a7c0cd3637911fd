import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from '../locales/en.json';
import zh from '../locales/zh.json';
import type { Language } from '../shared/language.ts';

/** Tag for `Intl` and the `lang` attribute. */
export function tagOf(language: string): string {
  return language === 'zh' ? 'zh-CN' : 'en';
}

/** A translator of its own in `language`; both languages are in the bundle, so it is ready at once. */
export function createI18n(language: Language): i18n {
  const instance = i18next.createInstance();
  void instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: en }, zh: { translation: zh } },
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    returnNull: false,
    initAsync: false,
  });
  return instance;
}
