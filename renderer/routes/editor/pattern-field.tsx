import { TextInput } from '@mantine/core';
import { IconArrowBarToRight, IconCheck, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Route } from '../../../shared/route.ts';
import type { PreviewedModel } from '../../../shared/upstream-edits.ts';
import { useFormat } from '../../data/use-format.ts';
import { useRoutePreview } from '../../data/use-route-actions.ts';

/** The pattern, and which of the models asked for lately it would match, while it is typed. */
export function PatternField({ pattern, id, routes, fault, change }: { readonly pattern: string; readonly id: string | null; readonly routes: readonly Route[]; readonly fault: string | undefined; readonly change: (pattern: string) => void }) {
  const { t } = useTranslation();
  const preview = useRoutePreview(pattern.trim(), id);
  return (
    <div className="hf-stack hf-tight">
      <TextInput label={t('route.pattern')} placeholder="claude-*" spellCheck={false} maxLength={256} className="hf-mono-input" data-autofocus value={pattern} onChange={(event) => change(event.currentTarget.value)} error={fault} description={t('route.pattern_note')} inputWrapperOrder={['label', 'input', 'error', 'description']} />
      {preview.data !== undefined && <Preview models={preview.data} typed={pattern.trim() !== ''} routes={routes} />}
    </div>
  );
}

function Preview({ models, typed, routes }: { readonly models: readonly PreviewedModel[]; readonly typed: boolean; readonly routes: readonly Route[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (models.length === 0) return <p className="hf-dim hf-small">{t('route.preview_none')}</p>;
  const matching = models.filter((one) => one.matches).length;
  const taken = models.filter((one) => one.matches && one.takenBy !== null).length;
  const nameOf = (route: string) => routes.find((one) => one.id === route)?.pattern ?? route;
  return (
    <div className="hf-preview">
      <p role="status"><strong>{t('route.preview', { matching: format.number(typed ? matching : 0), count: models.length })}</strong>{typed && taken > 0 && <span className="hf-dim"> {t('route.preview_taken', { count: taken })}</span>}</p>
      <ul>
        {models.map(({ model, matches, takenBy }) => {
          const state = !typed || !matches ? 'no' : takenBy === null ? 'yes' : 'taken';
          const Sign = { yes: IconCheck, no: IconMinus, taken: IconArrowBarToRight }[state];
          return <li key={model} className={`hf-match hf-match-${state}`} title={state === 'taken' ? t('route.taken_by', { pattern: nameOf(takenBy ?? '') }) : undefined}><Sign size={12} stroke={2.4} aria-label={t(`route.match.${state}`)} />{model}</li>;
        })}
      </ul>
    </div>
  );
}
