import { Button, TagsInput } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelsFetched } from '../../../shared/upstream-test.ts';
import { useUpstreamActions } from '../../data/use-upstream-actions.ts';
import type { UpstreamForm } from './use-upstream-form.ts';

/** The models the upstream takes: typed, or picked from its own list. */
export function ModelsField({ form: { draft, faults, change, probe } }: { readonly form: UpstreamForm }) {
  const { t } = useTranslation();
  const { models } = useUpstreamActions();
  const [asking, setAsking] = useState(false);
  const [found, setFound] = useState<ModelsFetched | 'unreachable' | null>(null);
  const fetchList = () => {
    setAsking(true);
    models(probe).then(setFound, () => setFound('unreachable')).finally(() => setAsking(false)).catch(() => undefined);
  };
  const listed = found !== null && found !== 'unreachable' && found.ok ? found.models : [];
  const left = listed.filter((model) => !draft.models.includes(model));
  return (
    <div className="hf-stack hf-tight">
      <TagsInput label={t('editor.models')} placeholder={draft.models.length === 0 ? t('upstreams.any_model') : ''} data={[...listed]} limit={200} value={[...draft.models]} splitChars={[',', ' ', '\n', ';']} clearable maxDropdownHeight={220} error={faults.models}
        clearButtonProps={{ 'aria-label': t('editor.models_clear') }} onChange={(chosen) => change({ models: [...new Set(chosen.map((one) => one.trim()).filter((one) => one !== ''))] }, 'models')}
        description={t('editor.models_note')} inputWrapperOrder={['label', 'input', 'error', 'description']} />
      <div className="hf-row" aria-live="polite">
        <Button size="compact-xs" leftSection={<IconListSearch size={14} aria-hidden />} loading={asking} onClick={fetchList}>{t('editor.fetch')}</Button>
        <span className="hf-dim hf-small hf-spring">{foundWords()}</span>
        {left.length > 0 && <Button size="compact-xs" variant="subtle" onClick={() => change({ models: [...draft.models, ...left] }, 'models')}>{t('editor.take_all', { count: left.length })}</Button>}
      </div>
    </div>
  );

  function foundWords(): string {
    if (found === null) return '';
    if (found === 'unreachable') return t('state.error_text');
    return found.ok ? t('editor.found', { count: found.models.length }) : t('editor.not_found', { step: t(`test.step.${found.step}`), reason: t(`test.reason.${found.reason}`) });
  }
}
