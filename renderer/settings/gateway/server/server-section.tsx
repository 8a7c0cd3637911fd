import { Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../../shared/settings.ts';
import { useActions, useGatewayState } from '../../../data/use-main.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ChoiceLine } from '../../choice-line.tsx';
import { NumberLine } from '../../number-line.tsx';
import { SettingLine } from '../../setting-line.tsx';
import { useOnOff } from '../../use-on-off.ts';
import { useSaveWithUndo, type SaveWithUndo } from '../../use-save-with-undo.tsx';

const BINDS = ['loopback', 'lan'] as const;

/** Where the gateway listens. The endpoint moves as soon as port or reach is saved; if it cannot, the banner above says why and where it stays. */
export function ServerSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const onOff = useOnOff();
  const save = useSaveWithUndo();
  const { data: state } = useGatewayState();
  const [refused, setRefused] = useState(false);
  const url = state?.status === 'running' ? state.url : null;
  // On a network a key is always asked for; where none is, main refuses and nothing changes.
  const saveBind: SaveWithUndo = Object.assign(async (...change: Parameters<SaveWithUndo>) => {
    const saved = await save(...change);
    setRefused(!saved.ok);
    return saved;
  }, { part: save.part }) as SaveWithUndo;
  return (
    <section className="hf-card">
      <NumberLine setting="gateway.port" settings={settings} save={save} unit="port" title={t('server.port')} help={t('server.port_help')} />
      {url !== null && <AddressLine title={t('server.address')} url={url} name={t('address.copy_address')} />}
      <ChoiceLine setting="gateway.bind" settings={settings} save={saveBind} choices={BINDS} title={t('server.bind')} help={t('server.bind_help')} say={(choice) => t(`server.bind_${choice}`)} />
      {refused && <p role="alert" className="hf-refused">{t('server.bind_needs_key')}</p>}
      {settings['gateway.bind'] === 'lan' && <p className="hf-note-amber hf-note-between" role="status">{t('server.lan_note')}</p>}
      {state?.status === 'running' && state.networkUrls?.map((address) => <AddressLine key={address} title={t('server.network_address')} url={address} name={t('server.copy_of', { address })} />)}
      <SettingLine setting="gateway.metrics" title={t('server.metrics')} help={settings['gateway.metrics'] && url !== null ? <span className="hf-mono hf-text">{url}/metrics</span> : t('server.metrics_help')}>
        <Switch size="xs" withThumbIndicator={false} aria-label={t('server.metrics')} checked={settings['gateway.metrics']} onChange={(event) => void save('gateway.metrics', event.currentTarget.checked, t('server.metrics'), onOff)} />
      </SettingLine>
    </section>
  );
}

function AddressLine({ title, url, name }: { readonly title: string; readonly url: string; readonly name: string }) {
  const { copy } = useActions();
  return <SettingLine setting="gateway.port" title={title} help={<span className="hf-mono hf-text">{url}</span>}><CopyButton name={name} copy={() => copy({ what: 'text', text: url })} /></SettingLine>;
}
