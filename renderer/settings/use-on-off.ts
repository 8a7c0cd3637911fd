import { useTranslation } from 'react-i18next';

/** Says whether something is on. */
export function useOnOff(): (on: boolean) => string {
  const { t } = useTranslation();
  return (on) => t(on ? 'setting.on' : 'setting.off');
}
