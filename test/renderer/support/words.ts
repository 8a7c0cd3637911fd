import { createI18n } from '../../../renderer/i18n.ts';
import { formatterOf, type Formatter } from '../../../renderer/format.ts';
import type { TFunction } from 'i18next';

/** Translator and formatter of a language, as the window has them. */
export function speak(language: 'en' | 'zh'): readonly [TFunction, Formatter] {
  const { t } = createI18n(language);
  return [t, formatterOf(language, t)];
}
