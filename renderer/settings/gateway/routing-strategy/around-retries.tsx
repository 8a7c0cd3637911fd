import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { STRATEGIES } from '../../../../shared/route.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { useFormat } from '../../../data/use-format.ts';
import { ChoiceLine } from '../../choice-line.tsx';
import { NumberLine } from '../../number-line.tsx';
import { SettingLine } from '../../setting-line.tsx';
import { useOnOff } from '../../use-on-off.ts';
import type { SaveWithUndo } from '../../use-save-with-undo.tsx';

const ACTIONS = ['return', 'wait'] as const satisfies readonly Settings['gateway.rate_limit_action'][];
const AFFINITIES = ['off', 'prefer', 'strict'] as const satisfies readonly Settings['gateway.affinity'][];

/** Which upstream is asked first, and what the gateway does with those that want less, and with the tool while it waits. */
export function AroundRetries({ settings, save }: { readonly settings: Settings; readonly save: SaveWithUndo }) {
  const { t } = useTranslation();
  const format = useFormat();
  const onOff = useOnOff();
  const strategy = settings['gateway.strategy'];
  const affinity = settings['gateway.affinity'];
  const action = settings['gateway.rate_limit_action'];
  return (
    <section className="hf-card">
      <ChoiceLine setting="gateway.strategy" settings={settings} save={save} choices={STRATEGIES} title={t('strategy.name')} help={format.sentences([t('strategy.scope'), t(`strategy.help.${strategy}`)])} say={(one) => t(`strategy.${one}`)} />
      <ChoiceLine setting="gateway.affinity" settings={settings} save={save} choices={AFFINITIES} title={t('affinity.name')} help={t(`affinity.help.${affinity}`)} say={(one) => t(`affinity.${one}`)} />
      <ChoiceLine setting="gateway.rate_limit_action" settings={settings} save={save} choices={ACTIONS} title={t('rate_limits.name')} help={t(`rate_limits.help.${action}`)} say={(one) => t(`rate_limits.${one}`)} />
      <NumberLine setting="gateway.keepalive_secs" settings={settings} save={save} unit="s" title={t('keep_alive.name')} help={t('keep_alive.help')} />
      <SettingLine setting="gateway.stop_client_retries" title={t('stop_tools.name')} help={t('stop_tools.help')}>
        <Switch aria-label={t('stop_tools.name')} checked={settings['gateway.stop_client_retries']} onChange={(event) => void save('gateway.stop_client_retries', event.currentTarget.checked, t('stop_tools.name'), onOff)} />
      </SettingLine>
    </section>
  );
}
