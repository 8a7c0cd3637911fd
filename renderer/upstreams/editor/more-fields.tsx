import { ActionIcon, Button, Input, Select, TextInput } from '@mantine/core';
import { IconChevronRight, IconPlus, IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../data/use-format.ts';
import { MOST_IN_FLIGHT } from './draft.ts';
import { ModelsField } from './models-field.tsx';
import type { UpstreamForm } from './use-upstream-form.ts';

const PROXIES = ['system', 'none', 'address'] as const;

/** What most never touch: models, cap, proxy, headers. Closed it says what of it is set. */
export function MoreFields({ form, opened, toggle }: { readonly form: UpstreamForm; readonly opened: boolean; readonly toggle: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="hf-more">
      <button type="button" className="hf-more-button" aria-expanded={opened} aria-controls={id} onClick={toggle}>
        <IconChevronRight size={15} stroke={2} aria-hidden />{t('editor.more')}<span className="hf-dim hf-cut">{opened ? '' : <Summary form={form} />}</span>
      </button>
      <div id={id} className="hf-stack" hidden={!opened}>
        {opened && <><ModelsField form={form} /><div className="hf-two"><CapField form={form} /><ProxyField form={form} /></div><HeadersField form={form} /></>}
      </div>
    </div>
  );
}

function Summary({ form: { draft } }: { readonly form: UpstreamForm }) {
  const { t } = useTranslation();
  const format = useFormat();
  const headers = draft.headers.filter(({ name }) => name.trim() !== '').length;
  return <>{format.commas([
    draft.models.length === 0 ? t('upstreams.any_model') : t('upstreams.models', { count: draft.models.length }),
    draft.maxInFlight.trim() === '' ? t('editor.no_cap') : t('editor.cap_of', { n: draft.maxInFlight }),
    draft.proxy === 'address' ? t('editor.proxy_at', { address: draft.proxyAddress }) : t(`editor.proxy_short.${draft.proxy}`),
    headers === 0 ? '' : t('editor.headers_count', { count: headers }),
  ])}</>;
}

function CapField({ form: { draft, faults, change } }: { readonly form: UpstreamForm }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <TextInput label={t('editor.cap')} inputMode="numeric" placeholder={t('editor.no_cap')} value={draft.maxInFlight} onChange={(event) => change({ maxInFlight: event.currentTarget.value }, 'max_in_flight')}
      error={faults.max_in_flight} description={t('editor.cap_note', { most: format.number(MOST_IN_FLIGHT) })} inputWrapperOrder={['label', 'input', 'error', 'description']} />
  );
}

function ProxyField({ form: { draft, faults, change } }: { readonly form: UpstreamForm }) {
  const { t } = useTranslation();
  return (
    <div className="hf-stack hf-tight">
      <Select label={t('editor.proxy_label')} allowDeselect={false} data={PROXIES.map((proxy) => ({ value: proxy, label: t(`editor.proxy.${proxy}`) }))} value={draft.proxy} onChange={(proxy) => { if (proxy !== null) change({ proxy }, 'proxy'); }}
        description={draft.proxy === 'system' ? t('editor.proxy_note') : undefined} inputWrapperOrder={['label', 'input', 'error', 'description']} />
      {draft.proxy === 'address' && <TextInput aria-label={t('editor.proxy_address')} placeholder="socks5://127.0.0.1:1080" spellCheck={false} value={draft.proxyAddress} onChange={(event) => change({ proxyAddress: event.currentTarget.value }, 'proxy')} error={faults.proxy} />}
    </div>
  );
}

function HeadersField({ form: { draft, faults, change } }: { readonly form: UpstreamForm }) {
  const { t } = useTranslation();
  const id = useId();
  const set = (line: number, part: { readonly name?: string; readonly value?: string }) => change({ headers: draft.headers.map((one) => (one.id === line ? { ...one, ...part } : one)) }, 'headers');
  const next = Math.max(-1, ...draft.headers.map((one) => one.id)) + 1;
  return (
    <div className="hf-stack hf-tight" role="group" aria-labelledby={id}>
      <Input.Label id={id} component="span">{t('editor.headers')}</Input.Label>
      {draft.headers.map((line, index) => (
        <div key={line.id} className="hf-header-line">
          <TextInput aria-label={t('editor.header_name', { n: index + 1 })} placeholder="x-team" spellCheck={false} value={line.name} onChange={(event) => set(line.id, { name: event.currentTarget.value })} />
          <TextInput aria-label={t('editor.header_value', { n: index + 1 })} spellCheck={false} value={line.value} onChange={(event) => set(line.id, { value: event.currentTarget.value })} />
          <ActionIcon aria-label={t('editor.header_remove', { name: line.name === '' ? String(index + 1) : line.name })} onClick={() => change({ headers: draft.headers.filter((one) => one.id !== line.id) }, 'headers')}><IconX size={15} aria-hidden /></ActionIcon>
        </div>
      ))}
      {faults.headers !== undefined && <p role="alert" className="hf-refused hf-small">{faults.headers}</p>}
      <div className="hf-row"><Button size="compact-xs" leftSection={<IconPlus size={13} aria-hidden />} onClick={() => change({ headers: [...draft.headers, { id: next, name: '', value: '' }] })}>{t('editor.header_add')}</Button>
        <span className="hf-dim hf-small">{t('editor.headers_note')}</span></div>
    </div>
  );
}
