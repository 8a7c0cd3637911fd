import { Button, Input, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useAppInfo, useGatewayState, useKeys } from '../../data/use-main.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { mustHaveKey, trimKey } from './draft.ts';
import type { UpstreamForm } from './use-upstream-form.ts';

const KINDS = ['stored', 'env', 'client', 'none'] as const;

/** How the upstream is paid for: a key of ours, one from the environment, the tool's own, or none. */
export function CredentialField({ form }: { readonly form: UpstreamForm }) {
  const { t } = useTranslation();
  const id = useId();
  const { draft, faults, change } = form;
  return (
    <div className="hf-stack hf-tight" role="group" aria-labelledby={id}>
      <Input.Label id={id} component="span">{t('editor.credential')}</Input.Label>
      <SegmentedControl size="xs" fullWidth aria-label={t('editor.credential_kind')} value={draft.credential} data={KINDS.map((kind) => ({ value: kind, label: t(`editor.kind.${kind}`) }))} onChange={(kind) => change({ credential: kind }, 'credential')} />
      {draft.credential === 'stored' && <KeyField form={form} />}
      {draft.credential === 'env' && (
        <TextInput aria-label={t('editor.env_name')} placeholder="ANTHROPIC_API_KEY" spellCheck={false} className="hf-mono-input" value={draft.envName} onChange={(event) => change({ envName: event.currentTarget.value }, 'credential')}
          error={faults.credential} description={t('editor.env_note')} inputWrapperOrder={['label', 'input', 'error', 'description']} />
      )}
      {draft.credential === 'client' && <ClientNote />}
      {draft.credential === 'none' && <p className="hf-dim hf-small">{t('editor.none_note')}</p>}
    </div>
  );
}

/** The key can be written and replaced, never read: what is saved is shown by its end. */
function KeyField({ form: { draft, saved, faults, change } }: { readonly form: UpstreamForm }) {
  const { t } = useTranslation();
  const info = useAppInfo();
  const hint = saved?.credential.kind === 'stored' ? saved.credential.hint : null;
  const [replacing, setReplacing] = useState(false);
  if (hint !== null && !replacing) {
    return (
      <div className="hf-key-saved">
        <IconKey size={15} stroke={1.8} aria-hidden /><code className="hf-mono">{hint}</code><span className="hf-dim hf-small hf-spring">{t('editor.key_saved')}</span>
        <Button size="compact-xs" onClick={() => setReplacing(true)}>{t('editor.key_replace')}</Button>
      </div>
    );
  }
  return (
    <PasswordInput aria-label={t(mustHaveKey(draft.preset) ? 'editor.key' : 'editor.key_optional')} placeholder={t(hint === null ? mustHaveKey(draft.preset) ? 'editor.key_paste' : 'editor.key_optional' : 'editor.key_new')} spellCheck={false} autoComplete="off" autoFocus={replacing} value={draft.key}
      onChange={(event) => { const { value } = event.currentTarget; change({ key: pasted(event.nativeEvent) ? trimKey(value) : value }, 'credential'); }}
      error={faults.credential} description={t(info.data?.secretBox === 'file' ? 'editor.key_in_file' : 'editor.key_in_keychain')} inputWrapperOrder={['label', 'input', 'error', 'description']}
      visibilityToggleButtonProps={{ 'aria-label': t('editor.key_show') }} />
  );
}

function pasted(event: Event): boolean {
  return 'inputType' in event && event.inputType === 'insertFromPaste';
}

/** How a tool signs in with its own account while the gateway key comes in the path (SPEC 2.4). */
function ClientNote() {
  const { t } = useTranslation();
  const gateway = useGatewayState();
  const keys = useKeys();
  const { copy } = useActions();
  const url = gateway.data?.status === 'running' ? gateway.data.url : 'http://127.0.0.1:4653';
  const key = keys.data?.find((one) => !one.disabled);
  return (
    <div className="hf-note-box hf-small">
      <p>{t('editor.client_note')}</p>
      <div className="hf-row"><code className="hf-mono hf-text hf-spring">{`${url}/k/${t('address.your_key')}/`}</code>
        {key && <CopyButton label={t('first.copy_key')} name={t('address.copy_key')} copy={() => copy({ what: 'key', id: key.id })} />}
      </div>
    </div>
  );
}
