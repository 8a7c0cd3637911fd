import { ActionIcon, Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { priceOf } from '../../../shared/cost.ts';
import type { Price, PriceList } from '../../../shared/prices.ts';
import { useFormat } from '../../data/use-format.ts';
import { usePriceActions, usePrices, useSeenModels } from '../../data/use-prices.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/state.tsx';
import { PriceEditor, type PriceTarget } from './price-editor.tsx';
import { PriceTable } from './price-table.tsx';

/** What tokens cost: the user's own prices, and the table that comes with the app. */
export function PricesSection() {
  const prices = usePrices();
  if (prices.isError) return <section className="hf-card"><ErrorState again={() => void prices.refetch()} /></section>;
  if (prices.data === undefined) return <section className="hf-card"><LoadingState lines={5} /></section>;
  return <Prices prices={prices.data} />;
}

function Prices({ prices }: { readonly prices: PriceList }) {
  const { t } = useTranslation();
  const format = useFormat();
  const actions = usePriceActions();
  const [target, aim] = useState<PriceTarget | null>(null);
  const [sought, seek] = useState('');
  const seen = useSeenModels();
  const unpriced = useMemo(() => seen.filter((model) => priceOf(model, prices) === null), [seen, prices]);
  const found = prices.table.filter(({ model }) => model.includes(sought.trim().toLowerCase()));
  const say = (message: string, undo?: () => Promise<unknown>) => {
    const id = `price ${message}`;
    const back = () => {
      notifications.hide(id);
      undo?.().catch(() => notifications.show({ message: t('prices.not_undone'), color: 'red' }));
    };
    // One with the same words, whose undo is another, would stay in its place.
    notifications.hide(id);
    notifications.show({ id, withCloseButton: false, message: <span className="hf-saved"><span>{message}</span>{undo !== undefined && <Button size="compact-xs" onClick={back}>{t('setting.undo')}</Button>}</span> });
  };
  const save = async (price: Price, replaces: string | null) => {
    // The one that was edited, and one of the same pattern that it took the place of.
    const gone = prices.own.filter(({ model }) => model === replaces || model === price.model);
    const saved = await actions.set(price, replaces);
    const undo = async () => {
      await actions.remove(price.model);
      for (const one of gone) await actions.set(one, null);
    };
    if (saved.ok) say(t('prices.saved', { model: price.model }), undo);
    return saved;
  };
  const remove = (price: Price) => {
    actions.remove(price.model).then((left) => {
      say(t(priceOf(price.model, left) === null ? 'prices.removed_unpriced' : 'prices.removed', { model: price.model }), () => actions.set(price, null));
    }, () => notifications.show({ message: t('state.error_text'), color: 'red' }));
  };
  return (
    <div className="hf-stack">
      <Card title={t('prices.own')} note={<Button size="compact-xs" leftSection={<IconPlus size={13} aria-hidden />} onClick={() => aim({ from: {}, replaces: null })}>{t('prices.add')}</Button>}>
        <p className="hf-dim">{t('prices.own_help')}</p>
        {prices.own.length === 0 ? <div className="hf-rules-none"><EmptyState small title={t('prices.empty_title')}>{t('prices.empty_text')}</EmptyState></div> : (
          <PriceTable name={t('prices.own')} prices={prices.own} actions={(price) => (
            <>
              <ActionIcon aria-label={t('prices.edit_of', { model: price.model })} onClick={() => aim({ from: price, replaces: price.model })}><IconPencil size={15} aria-hidden /></ActionIcon>
              <ActionIcon aria-label={t('prices.remove_of', { model: price.model })} onClick={() => remove(price)}><IconTrash size={15} aria-hidden /></ActionIcon>
            </>
          )} />
        )}
        {unpriced.length > 0 && (
          <div className="hf-unpriced">
            <p className="hf-label">{t('prices.unpriced')}</p>
            <ul>{unpriced.slice(0, 20).map((model) => <li key={model}><Button size="compact-xs" leftSection={<IconPlus size={12} aria-hidden />} aria-label={t('prices.set_for', { model })} onClick={() => aim({ from: { model }, replaces: null })}>{model}</Button></li>)}</ul>
          </div>
        )}
      </Card>
      <Card title={t('prices.table')} note={<TextInput size="xs" aria-label={t('prices.find')} placeholder={t('prices.find')} leftSection={<IconSearch size={13} aria-hidden />} value={sought} onChange={(event) => seek(event.currentTarget.value)} />}>
        <p className="hf-dim">{t('prices.table_help', { date: format.date(Date.parse(prices.asOf)) })}</p>
        {found.length === 0 ? <p className="hf-dim hf-rules-none">{t('prices.none_found')}</p> : (
          <PriceTable name={t('prices.table')} prices={found} actions={(price) => (prices.own.some(({ model }) => model === price.model) ? <span className="hf-dim hf-small">{t('prices.overridden')}</span> : (
            <ActionIcon aria-label={t('prices.own_of', { model: price.model })} onClick={() => aim({ from: price, replaces: null })}><IconPencil size={15} aria-hidden /></ActionIcon>
          ))} />
        )}
      </Card>
      {target !== null && <PriceEditor target={target} close={() => aim(null)} save={save} />}
    </div>
  );
}
