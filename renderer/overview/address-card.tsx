import { SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useGatewayState, useKeys } from '../data/use-main.ts';
import { Card } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorState, LoadingState } from '../ui/state.tsx';
import { clientForms } from './client-forms.ts';

/** Address and key, each to be copied, and how each known client wants them. The key itself is never here: main copies it. */
export function AddressCard() {
  const { t } = useTranslation();
  const gateway = useGatewayState();
  const keys = useKeys();
  const { copy } = useActions();
  if (gateway.isError || keys.isError) return <Card title={t('address.title')}><ErrorState again={() => { void gateway.refetch(); void keys.refetch(); }} /></Card>;
  if (!gateway.data || !keys.data) return <Card title={t('address.title')}><LoadingState lines={4} /></Card>;
  const url = gateway.data.status === 'running' ? gateway.data.url : null;
  const key = keys.data.find((one) => !one.disabled) ?? keys.data[0];
  return (
    <Card title={t('address.title')} className="hf-address">
      <dl className="hf-fields">
        <dt>{t('address.address')}</dt>
        {url === null ? <dd className="hf-dim">{t('address.not_running')}</dd> : <dd className="hf-mono hf-text hf-cut">{url}</dd>}
        <dd>{url !== null && <CopyButton name={t('address.copy_address')} copy={() => copy({ what: 'address' })} />}</dd>
        <dt>{t('address.key')}</dt>
        <dd className="hf-mono hf-cut" title={key?.name}>{key ? <>{masked(key.hint)} {key.disabled && <span className="hf-tag">{t('address.key_disabled')}</span>}</> : <span className="hf-dim">{t('address.no_key')}</span>}</dd>
        <dd>{key && <CopyButton name={t('address.copy_key')} copy={() => copy({ what: 'key', id: key.id })} />}</dd>
      </dl>
      {url !== null && <ClientForms url={url} />}
    </Card>
  );
}

// `hf-...abcd` with dots that read as hidden letters.
function masked(hint: string): string {
  return hint.replace('...', '••••••••••');
}

function ClientForms({ url }: { readonly url: string }) {
  const { t } = useTranslation();
  const { copy } = useActions();
  const forms = clientForms(url, t('address.your_key'));
  const [chosen, choose] = useState(forms[0]?.id ?? '');
  const form = forms.find((one) => one.id === chosen) ?? forms[0];
  if (form === undefined) return null;
  const options = forms.map((one) => ({ value: one.id, label: one.name }));
  return (
    <div className="hf-forms">
      <SegmentedControl className="hf-forms-wide" size="xs" aria-label={t('address.client')} data={options} value={form.id} onChange={choose} />
      <Select className="hf-forms-narrow" size="xs" aria-label={t('address.client')} data={options} value={form.id} onChange={(value) => { if (value !== null) choose(value); }} allowDeselect={false} />
      {form.parts.map(({ file, lines }) => {
        const text = lines.join('\n');
        const where = file === null ? t('address.as_environment') : t('address.in_file', { file });
        return (
          <div key={where} className="hf-code-part">
            <div className="hf-code-head">
              <p className="hf-dim hf-small">{where}</p>
              <CopyButton name={t('address.copy_lines', { client: form.name, where })} copy={() => copy({ what: 'text', text })} />
            </div>
            <pre className="hf-code hf-mono hf-text" tabIndex={0} aria-label={t('address.lines_for', { client: form.name, where })}>{text}</pre>
          </div>
        );
      })}
    </div>
  );
}
