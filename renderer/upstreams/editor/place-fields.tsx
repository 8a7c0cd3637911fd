import { Checkbox, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { normaliseBaseUrl } from '../../../shared/base-url.ts';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import { presetFacts, PRESETS } from '../../../shared/presets.ts';
import { useFormat } from '../../data/use-format.ts';
import { PresetGlyph } from '../preset-glyph.tsx';
import { withPreset } from './draft.ts';
import type { UpstreamForm } from './use-upstream-form.ts';

/** Who the provider is, where it is, and what it speaks. */
export function PlaceFields({ form: { draft, faults, change, saved } }: { readonly form: UpstreamForm }) {
  const { t } = useTranslation();
  const nameOf = (id: string) => PRESETS.find((one) => one.id === id)?.name ?? t('editor.generic');
  const format = useFormat();
  const facts = presetFacts(draft.preset);
  return (
    <>
      <div className="hf-two">
        <Select label={t('editor.preset')} allowDeselect={false} maxDropdownHeight={320} data={PRESETS.map(({ id }) => ({ value: id, label: nameOf(id) }))} value={draft.preset} data-autofocus={saved === null || undefined}
          leftSection={<PresetGlyph preset={draft.preset} name={nameOf(draft.preset)} size={20} />} leftSectionWidth={34}
          renderOption={({ option }) => <span className="hf-row"><PresetGlyph preset={option.value} name={option.label} size={20} />{option.label}</span>}
          onChange={(value) => { if (value !== null) change(withPreset(draft, value)); }} />
        <TextInput label={t('editor.name')} value={draft.name} onChange={(event) => change({ name: event.currentTarget.value }, 'name')} error={faults.name} maxLength={100} />
      </div>
      <TextInput label={t('editor.base_url')} placeholder={facts?.example ?? facts?.baseUrl ?? ''} spellCheck={false} value={draft.baseUrl} onChange={(event) => change({ baseUrl: event.currentTarget.value }, 'base_url')}
        error={faults.base_url} description={<UrlNote text={draft.baseUrl} preset={draft.preset} />} inputWrapperOrder={['label', 'input', 'error', 'description']} />
      <Checkbox.Group label={t('editor.formats')} description={facts === undefined || facts.alsoSpeaks.length === 0 ? t('editor.formats_note') : t('editor.formats_also', { formats: format.list(facts.alsoSpeaks.map((one) => t(`format.${one}`))) })} value={[...draft.formats]} error={faults.formats}
        onChange={(chosen) => change({ formats: FORMAT_NAMES.filter((one) => chosen.includes(one)) }, 'formats')}>
        <div className="hf-checks">{FORMAT_NAMES.map((one) => <Checkbox key={one} size="xs" value={one} label={t(`format.${one}`)} />)}</div>
      </Checkbox.Group>
    </>
  );
}

/** What the address is understood as, when that is not what was typed, and what is particular about it. */
function UrlNote({ text, preset }: { readonly text: string; readonly preset: UpstreamForm['draft']['preset'] }) {
  const { t } = useTranslation();
  const reading = normaliseBaseUrl(text, preset);
  const read = text.trim() !== '' && reading.ok && reading.url !== text.trim() ? t('editor.base_url_read', { url: reading.url }) : null;
  const note = preset === 'azure_openai' ? t('editor.base_url_azure') : read === null ? t('editor.base_url_note') : null;
  return <>{read !== null && <span className="hf-url-read">{read}</span>}{note !== null && <span>{note}</span>}</>;
}
