import { useTranslation } from 'react-i18next';
import { formatterOf, type Formatter } from '../format.ts';

/** The formatter of the language the window speaks now. */
export function useFormat(): Formatter {
  const { t, i18n } = useTranslation();
  return formatterOf(i18n.language, t);
}
