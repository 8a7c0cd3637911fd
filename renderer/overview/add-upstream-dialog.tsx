import { Button, Checkbox, Modal, PasswordInput, Select, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { normaliseBaseUrl } from '../../shared/base-url.ts';
import { FORMAT_NAMES } from '../../shared/format.ts';
import { useActions, useAppInfo } from '../data/use-main.ts';
import { draftOf, faultsOf, fieldOf, toNewUpstream, type DraftField, type UpstreamDraft } from './upstream-draft.ts';
import { PRESET_FORMS, presetForm } from './upstream-presets.ts';

/** Adds one upstream; faults stand at their fields, and the key leaves the window with the answer. */
export function AddUpstreamDialog({ opened, close }: { readonly opened: boolean; readonly close: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal opened={opened} onClose={close} title={t('add.title')} size={480} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
      {opened && <AddUpstreamForm close={close} />}
    </Modal>
  );
}

type Faults = Partial<Record<DraftField, string>>;

function AddUpstreamForm({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const info = useAppInfo();
  const { addUpstream } = useActions();
  const [draft, setDraft] = useState<UpstreamDraft>(() => draftOf('anthropic', ''));
  const [faults, setFaults] = useState<Faults>({});
  const [saving, setSaving] = useState(false);
  const change = (part: Partial<UpstreamDraft>, field?: DraftField) => {
    setDraft({ ...draft, ...part });
    if (field !== undefined) setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => name !== field && name !== 'form')));
  };
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    const own = faultsOf(draft);
    setFaults(Object.fromEntries(Object.entries(own).map(([field, fault]) => [field, t(`add.fault.${fault}`)])));
    if (Object.keys(own).length > 0) return;
    setSaving(true);
    try {
      const added = await addUpstream(toNewUpstream(draft));
      if (added.ok) close();
      else setFaults(Object.fromEntries(added.faults.map((fault) => [fieldOf(fault), fault.message])));
    } catch {
      setFaults({ form: t('state.error_text') });
    } finally {
      setSaving(false);
    }
  };
  return (
    <form className="hf-stack" noValidate autoComplete="off" onSubmit={(event) => void save(event)}>
      <Select label={t('add.preset')} allowDeselect={false} maxDropdownHeight={300} data={PRESET_FORMS.map((form) => ({ value: form.id, label: form.name ?? t('add.generic') }))}
        value={draft.preset} onChange={(value) => { if (value !== null) { setFaults({}); setDraft(draftOf(value, draft.key)); } }} data-autofocus />
      <TextInput label={t('add.name')} value={draft.name} onChange={(event) => change({ name: event.currentTarget.value }, 'name')} error={faults.name} maxLength={100} />
      <TextInput label={t('add.base_url')} placeholder="https://" spellCheck={false} value={draft.baseUrl} onChange={(event) => change({ baseUrl: event.currentTarget.value }, 'base_url')}
        error={faults.base_url} description={urlNote(draft.baseUrl, t('add.base_url_note'), (url) => t('add.base_url_read', { url }))} inputWrapperOrder={['label', 'input', 'error', 'description']} />
      <Checkbox.Group label={t('add.formats')} description={t('add.formats_note')} value={[...draft.formats]} onChange={(formats) => change({ formats: formats }, 'formats')} error={faults.formats}>
        <div className="hf-checks">{FORMAT_NAMES.map((format) => <Checkbox key={format} size="xs" value={format} label={t(`format.${format}`)} />)}</div>
      </Checkbox.Group>
      <PasswordInput label={presetForm(draft.preset).wantsKey && draft.preset !== 'generic' ? t('add.key') : t('add.key_optional')} spellCheck={false} autoComplete="off" value={draft.key} onChange={(event) => change({ key: event.currentTarget.value }, 'key')}
        error={faults.key} description={info.data?.secretBox === 'file' ? t('add.key_in_file') : t('add.key_in_keychain')} inputWrapperOrder={['label', 'input', 'error', 'description']}
        visibilityToggleButtonProps={{ 'aria-label': t('add.key_show') }} />
      {faults.form !== undefined && <p role="alert" className="hf-refused">{faults.form}</p>}
      <div className="hf-flight-actions">
        <Button onClick={close}>{t('dialog.cancel')}</Button>
        <Button type="submit" variant="filled" loading={saving}>{t('add.save')}</Button>
      </div>
    </form>
  );
}

// What the address is understood as, when that is not what was typed.
function urlNote(typed: string, note: string, read: (url: string) => string): string {
  const reading = normaliseBaseUrl(typed);
  return reading.ok && reading.url !== typed.trim() ? read(reading.url) : note;
}
