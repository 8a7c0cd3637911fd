import { Button, Modal, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChangeCounts, DocumentOpening, DocumentPreview } from '../../../shared/data.ts';
import { useFormat } from '../../data/use-format.ts';
import { faultWords } from './fault-words.ts';

/** A document that the user has chosen. */
export type OpenedDocument = Exclude<DocumentOpening, { readonly kind: 'cancelled' }>;

interface ImportWords {
  readonly opened: OpenedDocument | null;
  readonly close: () => void;
  readonly apply: (token: string) => Promise<void>;
  /** False when the password is wrong. */
  readonly unlock: (token: string, password: string) => Promise<boolean>;
}

/** What a document would change, with the button that does it; its password, when its secrets have one; or every fault. */
export function ImportDialog({ opened, close, apply, unlock }: ImportWords) {
  const { t } = useTranslation();
  // Stays while the dialog fades away.
  const [last, setLast] = useState(opened);
  if (opened !== null && opened !== last) setLast(opened);
  const title = last?.kind === 'refused' ? t('import.refused') : last?.preview.mode === 'replace' ? t('data.restore_title') : t('data.import_title');
  return (
    <Modal opened={opened !== null} onClose={close} title={title} size={560} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
      {last?.kind === 'refused' && <Refused file={last.file} faults={last.faults} close={close} />}
      {last !== null && last.kind !== 'refused' && <Ready key={`${last.token} ${last.kind}`} document={last} close={close} apply={apply} unlock={unlock} />}
    </Modal>
  );
}

function Refused({ file, faults, close }: Pick<Extract<OpenedDocument, { kind: 'refused' }>, 'file' | 'faults'> & { readonly close: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="hf-stack">
      <p className="hf-dim">{t('import.nothing_changed', { file })}</p>
      <ul className="hf-faults">{faults.map((fault) => <li key={`${fault.path} ${fault.message}`}><code className="hf-mono hf-text">{fault.path}</code><span className="hf-text">{faultWords(fault, t, format)}</span></li>)}</ul>
      <div className="hf-dialog-end"><Button onClick={close}>{t('dialog.close')}</Button></div>
    </div>
  );
}

function Ready({ document, close, apply, unlock }: Omit<ImportWords, 'opened'> & { readonly document: Extract<OpenedDocument, { token: string }> }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState<'unlock' | 'apply' | null>(null);
  const { token, file, preview } = document;
  const open = async () => {
    setBusy('unlock');
    setWrong(false);
    const right = await unlock(token, password);
    setBusy(null);
    if (!right) setWrong(true);
  };
  const take = () => {
    setBusy('apply');
    void apply(token).finally(() => setBusy(null));
  };
  return (
    <div className="hf-stack">
      <p className="hf-dim">{t(preview.mode === 'replace' ? 'data.restore_text' : 'data.import_text', { file })}</p>
      {document.kind === 'locked' && (
        <form className="hf-data-password" onSubmit={(event) => { event.preventDefault(); void open(); }}>
          <PasswordInput label={t('data.password')} description={t('data.password_of_file')} value={password} onChange={(event) => setPassword(event.currentTarget.value)} error={wrong ? t('data.wrong_password') : undefined} autoComplete="off" data-autofocus />
          <Button type="submit" loading={busy === 'unlock'} disabled={password === ''}>{t('data.unlock')}</Button>
        </form>
      )}
      <Changes preview={preview} />
      {preview.warnings.length > 0 && <Warnings warnings={preview.warnings} />}
      {preview.needSecret.length > 0 && <p className="hf-note-amber">{t('data.need_secret', { names: preview.needSecret.join(', ') })}</p>}
      {preview.keysLost.length > 0 && <p className="hf-note-amber">{t('data.keys_lost', { names: preview.keysLost.join(', ') })}</p>}
      <div className="hf-dialog-end">
        <Button onClick={close}>{t('dialog.cancel')}</Button>
        <Button variant="filled" onClick={take} loading={busy === 'apply'} disabled={busy === 'unlock'}>{t(document.kind === 'locked' ? 'data.import_without' : preview.mode === 'replace' ? 'data.restore' : 'data.import')}</Button>
      </div>
    </div>
  );
}

// More would hide what the dialog asks.
const MOST_NAMES = 10;

function Warnings({ warnings }: Pick<DocumentPreview, 'warnings'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const listed = (names: readonly string[]) => format.commas([...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? [t('data.warning.more', { count: names.length - MOST_NAMES })] : [])]);
  return (
    <div className="hf-note-amber">
      <p>{t('data.warning.title')}</p>
      <ul className="hf-data-warnings">{warnings.map(({ kind, names }) => <li key={kind} className="hf-text">{t(`data.warning.${kind}`, { names: listed(names) })}</li>)}</ul>
    </div>
  );
}

const PARTS = ['settings', 'upstreams', 'routes', 'keys'] as const;

function Changes({ preview }: { readonly preview: DocumentPreview }) {
  const { t } = useTranslation();
  const nothing = PARTS.every((part) => preview[part].added + preview[part].changed + preview[part].removed === 0);
  if (nothing) return <p>{t('data.no_change')}</p>;
  return (
    <dl className="hf-facts hf-data-changes">
      {PARTS.map((part) => <div key={part}><dt>{t(`data.part.${part}`)}</dt><dd className="hf-text"><Counts counts={preview[part]} /></dd></div>)}
    </dl>
  );
}

function Counts({ counts }: { readonly counts: ChangeCounts }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = (['added', 'changed', 'removed'] as const).filter((what) => counts[what] > 0).map((what) => t(`data.count.${what}`, { count: counts[what] }));
  return <>{words.length === 0 ? t('data.count.none') : format.commas(words)}</>;
}
