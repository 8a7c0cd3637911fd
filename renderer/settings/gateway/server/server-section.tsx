import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../../shared/settings.ts';
import { useActions, useGatewayState } from '../../../data/use-main.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { NumberLine } from '../../number-line.tsx';
import { SettingLine } from '../../setting-line.tsx';
import { useSaveWithUndo } from '../../use-save-with-undo.tsx';

/** Where the gateway listens. The endpoint moves as soon as the port is saved; if it cannot, the banner above says why and where it stays. */
export function ServerSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const save = useSaveWithUndo();
  const { data: state } = useGatewayState();
  const { copy } = useActions();
  return (
    <section className="hf-card">
      <NumberLine setting="gateway.port" settings={settings} save={save} unit="port" title={t('server.port')} help={t('server.port_help')} />
      {state?.status === 'running' && (
        <SettingLine setting="gateway.port" title={t('server.address')} help={<span className="hf-mono hf-text">{state.url}</span>}>
          <CopyButton name={t('address.copy_address')} copy={() => copy({ what: 'address' })} />
        </SettingLine>
      )}
    </section>
  );
}
