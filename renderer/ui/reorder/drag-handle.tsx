import { IconGripVertical } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Reorder } from './use-reorder.ts';

/** The grip of one entry: dragged with the pointer, moved with the arrow keys. */
export function DragHandle({ reorder, id, name }: { readonly reorder: Reorder; readonly id: string; readonly name: string }) {
  const { t } = useTranslation();
  const words = { name, place: reorder.order.indexOf(id) + 1, all: reorder.order.length };
  return (
    <button type="button" className="hf-grip" aria-label={t('reorder.move', words)} title={t('reorder.hint')} {...reorder.handle(id)}>
      <IconGripVertical size={16} stroke={1.8} aria-hidden />
      {reorder.moved === id && <span className="hf-hidden" role="status">{t('reorder.moved', words)}</span>}
    </button>
  );
}
