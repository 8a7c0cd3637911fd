import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { i18n } from 'i18next';
import { languageFor } from '../../shared/language.ts';
import { createI18n, tagOf } from '../i18n.ts';
import { useAppInfo } from './use-main.ts';
import { useSettings } from './use-settings.ts';

const DARK = '(prefers-color-scheme: dark)';

function subscribeToScheme(changed: () => void): () => void {
  const query = window.matchMedia(DARK);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Light or dark: the user's choice, else the system's. */
export function useColourScheme(): 'light' | 'dark' {
  const { settings } = useSettings();
  const systemIsDark = useSyncExternalStore(subscribeToScheme, () => window.matchMedia(DARK).matches);
  const choice = settings?.['app.theme'] ?? 'system';
  return choice === 'system' ? (systemIsDark ? 'dark' : 'light') : choice;
}

/** The translator, switched live; null until it is known which language to speak, so that none flashes up first. */
export function useTranslator(): i18n | null {
  const { settings, failed } = useSettings();
  const info = useAppInfo();
  const known = settings !== undefined && info.data !== undefined;
  const language = known ? languageFor(settings['app.language'], info.data.systemLanguage) : failed || info.isError ? languageFor('system', navigator.language) : null;
  useEffect(() => { if (language !== null) document.documentElement.lang = tagOf(language); }, [language]);
  return useMemo(() => (language === null ? null : createI18n(language)), [language]);
}
