import { ActionIcon, Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RetryRule, Settings } from '../../../../../shared/settings.ts';
import { useFormat } from '../../../../data/use-format.ts';
import { useUpstreams } from '../../../../data/use-main.ts';
import { Card } from '../../../../ui/card.tsx';
import { EmptyState } from '../../../../ui/state.tsx';
import type { SaveWithUndo } from '../../../use-save-with-undo.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { RuleTester } from './rule-tester.tsx';
import { takesWords } from './rule-words.ts';

/** As many as the schema takes. */
const MOST_RULES = 100;

/** The user's own classification (SPEC 4.7): the list in its order, an editor, and a tester. */
export function RulesCard({ settings, save }: { readonly settings: Settings; readonly save: SaveWithUndo }) {
  const { t } = useTranslation();
  const format = useFormat();
  const upstreams = useUpstreams().data ?? [];
  const rules = settings['gateway.retry_rules'];
  // The rule that is edited, null for a new one. By what it says: the list may change elsewhere meanwhile.
  const [edited, edit] = useState<{ readonly rule: RetryRule | null } | null>(null);
  const [matched, setMatched] = useState<number | null>(null);
  const put = (next: readonly RetryRule[]) => save('gateway.retry_rules', [...next], t('rules.name'), (all) => t('rules.count', { count: all.length }));
  const swap = (from: number, to: number) => {
    const next = [...rules];
    [next[from], next[to]] = [next[to] as RetryRule, next[from] as RetryRule];
    void put(next);
  };
  return (
    <>
      <Card title={t('rules.name')} note={<Button size="compact-xs" leftSection={<IconPlus size={13} aria-hidden />} disabled={rules.length >= MOST_RULES} onClick={() => edit({ rule: null })}>{t('rules.add')}</Button>}>
        <p className="hf-dim" title="gateway.retry_rules">{t('rules.help')}</p>
        {rules.length === 0 ? <div className="hf-rules-none"><EmptyState small title={t('rules.empty_title')}>{t('rules.empty_text')}</EmptyState></div> : (
          <ol className="hf-rules">
            {rules.map((rule, index) => {
              const takes = takesWords(rule, upstreams, t, format);
              const place = t('rules.place', { n: format.number(index + 1), takes });
              return (
                <li key={`${index} ${JSON.stringify(rule)}`} className={index === matched ? 'hf-rule hf-rule-matched' : 'hf-rule'}>
                  <span className="hf-rule-n">{index + 1}</span>
                  <span className="hf-rule-words"><span className="hf-text">{takes}</span><span className="hf-dim hf-small">{format.sentences([t('rules.becomes', { class: t(`failure.class.${rule.class}`) }), t(`rules.follows.${rule.class}`)])}</span></span>
                  <span className="hf-rule-actions">
                    <ActionIcon aria-label={t('rules.up', { place })} disabled={index === 0} onClick={() => swap(index, index - 1)}><IconArrowUp size={15} aria-hidden /></ActionIcon>
                    <ActionIcon aria-label={t('rules.down', { place })} disabled={index === rules.length - 1} onClick={() => swap(index, index + 1)}><IconArrowDown size={15} aria-hidden /></ActionIcon>
                    <ActionIcon aria-label={t('rules.edit', { place })} onClick={() => edit({ rule })}><IconPencil size={15} aria-hidden /></ActionIcon>
                    <ActionIcon aria-label={t('rules.delete', { place })} onClick={() => void put(rules.filter((_, at) => at !== index))}><IconTrash size={15} aria-hidden /></ActionIcon>
                  </span>
                </li>
              );
            })}
          </ol>
        )}
        <RuleTester rules={rules} upstreams={upstreams} show={setMatched} />
      </Card>
      {edited !== null && <RuleEditor rule={edited.rule} upstreams={upstreams} close={() => edit(null)} save={(rule) => put(replaced(rules, edited.rule, rule))} />}
    </>
  );
}

/** The list with a rule in the place of another; at its end when that is gone or there was none. */
function replaced(rules: readonly RetryRule[], old: RetryRule | null, rule: RetryRule): readonly RetryRule[] {
  const place = rules.findIndex((one) => JSON.stringify(one) === JSON.stringify(old));
  return place < 0 ? [...rules, rule] : rules.map((one, at) => (at === place ? rule : one));
}
