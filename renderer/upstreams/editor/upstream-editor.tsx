import { Button, Drawer } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Upstream } from '../../../shared/upstream.ts';
import { useUpstreams } from '../../data/use-main.ts';
import { CloseQuestion, useCloseGuard, type CloseGuard } from '../../ui/close-guard.tsx';
import { CredentialField } from './credential-field.tsx';
import { MoreFields } from './more-fields.tsx';
import { PlaceFields } from './place-fields.tsx';
import { TestPanel } from './test-panel.tsx';
import { useUpstreamForm } from './use-upstream-form.ts';

/** What the editor is opened for: a new upstream of a preset, or one that is there; `more` unfolds the rarer fields. */
export type EditorTarget = { readonly kind: 'new'; readonly preset: string } | { readonly kind: 'saved'; readonly id: string; readonly more?: boolean };

/** Adds or edits one upstream, wherever it is opened from; null shows nothing. Where nothing can be deleted `remove` is left out. */
export function UpstreamEditor({ target, close, remove }: { readonly target: EditorTarget | null; readonly close: () => void; readonly remove?: (upstream: Upstream) => void }) {
  const { t } = useTranslation();
  const upstreams = useUpstreams();
  const guard = useCloseGuard(close);
  const saved = target?.kind === 'saved' ? upstreams.data?.find((one) => one.id === target.id) ?? null : null;
  // Deleted elsewhere meanwhile: nothing is left to edit.
  const opened = target !== null && (target.kind === 'new' || saved !== null);
  return (
    <Drawer opened={opened} onClose={guard.ask} position="right" size={540} lockScroll={false} title={saved === null ? t('editor.add_title') : t('editor.edit_title', { name: saved.name })} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
      {opened && <EditorForm key={saved?.id ?? 'new'} saved={saved} preset={target.kind === 'new' ? target.preset : 'generic'} more={target.kind === 'saved' && target.more === true} guard={guard} remove={remove} />}
    </Drawer>
  );
}

function EditorForm({ saved, preset, more: unfolded, guard, remove }: { readonly saved: Upstream | null; readonly preset: string; readonly more: boolean; readonly guard: CloseGuard; readonly remove: ((upstream: Upstream) => void) | undefined }) {
  const { t } = useTranslation();
  const form = useUpstreamForm(saved, preset);
  const [more, setMore] = useState(unfolded);
  const { follow } = guard;
  useEffect(() => follow(form.dirty));
  const save = async () => {
    const upstream = await form.save();
    if (upstream === null) return;
    notifications.show({ message: t(saved === null ? 'editor.added' : 'editor.saved', { name: upstream.name }), color: 'accent', autoClose: 4_000 });
    guard.leave();
  };
  const hidden = form.faults.headers ?? form.faults.proxy ?? form.faults.models ?? form.faults.max_in_flight;
  return (
    <form className="hf-editor" noValidate autoComplete="off" onSubmit={(event) => { event.preventDefault(); void save(); }}>
      <div className="hf-stack">
        <PlaceFields form={form} />
        <CredentialField form={form} />
        <TestPanel form={form} />
        <MoreFields form={form} opened={more || hidden !== undefined} toggle={() => setMore(!more)} />
        {form.faults.form !== undefined && <p role="alert" className="hf-refused">{form.faults.form}</p>}
      </div>
      <footer className="hf-editor-foot">
        {guard.asking ? <CloseQuestion guard={guard} /> : (
          <>
            {saved !== null && remove !== undefined && <Button variant="subtle" className="hf-danger-text" leftSection={<IconTrash size={14} aria-hidden />} onClick={() => { guard.leave(); remove(saved); }}>{t('row.delete')}</Button>}
            <span className="hf-spring" />
            <Button onClick={guard.ask}>{t('dialog.cancel')}</Button>
            <Button type="submit" variant="filled" loading={form.saving}>{t(saved === null ? 'editor.add' : 'editor.save')}</Button>
          </>
        )}
      </footer>
    </form>
  );
}
