import { Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseSetting, type Settings } from '../../../../shared/settings.ts';
import { useFormat } from '../../../data/use-format.ts';
import { Card } from '../../../ui/card.tsx';
import { SettingLine } from '../../setting-line.tsx';
import { useOnOff } from '../../use-on-off.ts';
import { useSaveWithUndo } from '../../use-save-with-undo.tsx';
import { TextChips } from './text-chips.tsx';

type ListKey = 'gateway.allowed_origins' | 'gateway.allowed_hosts';

const MOST_ENTRIES = 50;
// An origin has no path; the slash that comes with a copied address is not meant.
const TIDY: Readonly<Record<ListKey, (text: string) => string>> = { 'gateway.allowed_origins': (text) => text.toLowerCase().replace(/\/$/, ''), 'gateway.allowed_hosts': (text) => text.toLowerCase() };

/** Who may use the gateway: whether a key is asked for, and which pages and names are let in besides programs of this computer. */
export function AccessCard({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const onOff = useOnOff();
  const save = useSaveWithUndo();
  const [refused, setRefused] = useState(false);
  const required = settings['gateway.require_key'];
  const setRequired = async (next: boolean) => { setRefused(!(await save('gateway.require_key', next, t('security.require_key'), onOff)).ok); };
  return (
    <Card title={t('security.access')} className="hf-access">
      <SettingLine level={3} setting="gateway.require_key" title={t('security.require_key')} help={t('security.require_key_help')}>
        <Switch size="xs" withThumbIndicator={false} aria-label={t('security.require_key')} checked={required} onChange={(event) => void setRequired(event.currentTarget.checked)} />
      </SettingLine>
      {refused && <p role="alert" className="hf-refused">{t('security.key_on_network')}</p>}
      {!required && <p className="hf-note-amber hf-note-between">{t('security.no_key_note')}</p>}
      <AllowedList setting="gateway.allowed_origins" settings={settings} title={t('security.origins')} help={t('security.origins_help')} placeholder="https://chat.example.com" refused={(given) => t('security.origin_refused', { given })} />
      <AllowedList setting="gateway.allowed_hosts" settings={settings} title={t('security.hosts')} help={t('security.hosts_help')} placeholder="my-computer.local" refused={(given) => t('security.host_refused', { given })} />
    </Card>
  );
}

function AllowedList({ setting, settings, title, help, placeholder, refused }: { readonly setting: ListKey; readonly settings: Settings; readonly title: string; readonly help: string; readonly placeholder: string; readonly refused: (given: string) => string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const save = useSaveWithUndo();
  const read = (text: string): string | null => {
    const entry = TIDY[setting](text);
    return parseSetting(setting, [entry]).ok ? entry : null;
  };
  const say = (entries: readonly string[]): string => (entries.length === 0 ? t('value.none') : format.series(entries));
  return (
    <SettingLine level={3} setting={setting} title={title} help={help}>
      <TextChips name={title} entries={settings[setting]} most={MOST_ENTRIES} placeholder={placeholder} read={read} refused={refused} change={async (entries) => (await save(setting, [...entries], title, say)).ok} />
    </SettingLine>
  );
}
