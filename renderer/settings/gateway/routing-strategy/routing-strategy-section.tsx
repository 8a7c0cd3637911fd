import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../../shared/settings.ts';
import { useFormat } from '../../../data/use-format.ts';
import { Card } from '../../../ui/card.tsx';
import { useSaveWithUndo } from '../../use-save-with-undo.tsx';
import { AroundRetries } from './around-retries.tsx';
import { BudgetCard } from './budget-card.tsx';
import { HintExample } from './hint-example.tsx';
import { PaceCard } from './pace-card.tsx';
import { draftedPolicy, type PolicyDraft } from './policy-draft.ts';
import { RetryWaitField } from './retry-wait-field.tsx';
import { RulesCard } from './rules/rules-card.tsx';
import { ScheduleChart } from './schedule-chart.tsx';
import { scheduleWords } from './schedule-words.ts';
import { ToolPatience } from './tool-patience.tsx';

/** How long and at what pace a request is tried again, with the schedule that follows from it, and everything around retries. */
export function RoutingStrategySection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const format = useFormat();
  const save = useSaveWithUndo();
  const [draft, setDraft] = useState<PolicyDraft>({});
  const [hintMs, showHint] = useState<number | null>(null);
  const [seen, setSeen] = useState(settings);
  // Saved here or changed elsewhere: what is in force takes the place of what was moved.
  if (seen !== settings) {
    setSeen(settings);
    setDraft({});
  }
  const policy = draftedPolicy(settings, draft);
  const say = (secs: number) => (secs === 0 ? t('setting.off') : t('unit.s', { n: format.number(secs) }));
  return (
    <div className="hf-stack">
      <div className="hf-strategy">
        <div className="hf-strategy-controls">
          <Card title={t('retry_wait.name')} className="hf-strategy-wait">
            <p className="hf-dim" title="gateway.retry_wait_secs">{t('retry_wait.help')}</p>
            <RetryWaitField settings={settings} preview={(secs) => setDraft((now) => ({ ...now, secs }))} save={(secs) => save('gateway.retry_wait_secs', secs, t('retry_wait.name'), say)} />
          </Card>
          <PaceCard settings={settings} when={scheduleWords(policy, t, format).when} preview={(part) => setDraft((now) => ({ ...now, policy: { ...now.policy, ...part } }))} save={save} />
        </div>
        <Card title={t('schedule.title')} className="hf-strategy-chart">
          <ScheduleChart policy={policy} hintMs={hintMs} />
          {policy.enabled && policy.deadlineMs > 0 && <HintExample shownMs={hintMs} show={showHint} />}
        </Card>
        <Card title={t('patience.title')} className="hf-strategy-notes"><ToolPatience secs={policy.enabled ? policy.deadlineMs / 1_000 : 0} /></Card>
      </div>
      <AroundRetries settings={settings} save={save} />
      <BudgetCard settings={settings} save={save} />
      <RulesCard settings={settings} save={save} />
    </div>
  );
}
