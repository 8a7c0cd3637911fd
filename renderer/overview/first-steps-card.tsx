import { Button } from '@mantine/core';
import { IconCheck, IconFileImport, IconPlus, IconSend } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useKeys } from '../data/use-main.ts';
import type { FirstSteps } from '../../shared/ipc.ts';
import { Card } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { UpstreamEditor, type EditorTarget } from '../upstreams/editor/upstream-editor.tsx';
import { DemoStory } from './demo-story.tsx';
import { useImport } from '../settings/data/use-import.tsx';

/** The three steps of the first start; each ticks itself when it has really happened. */
export function FirstStepsCard({ steps, show }: { readonly steps: FirstSteps; readonly show: (id: string) => void }) {
  const { t } = useTranslation();
  const keys = useKeys();
  const { copy, dismissFirstSteps } = useActions();
  const [adding, setAdding] = useState<EditorTarget | null>(null);
  const { importDocument, dialog } = useImport();
  const done = [steps.upstreamAdded, steps.copied, steps.requestAnswered].filter(Boolean).length;
  const current = !steps.upstreamAdded ? 1 : !steps.copied ? 2 : 3;
  const key = keys.data?.find((one) => !one.disabled);
  return (
    <Card title={t('first.title')} className="hf-first" note={<><span className="hf-dim">{t('first.done', { done, all: 3 })}</span><button type="button" className="hf-linkish hf-small" onClick={() => void dismissFirstSteps()}>{done === 3 ? t('first.close') : t('first.skip')}</button></>}>
      <ol className="hf-steps">
        <Step n={1} done={steps.upstreamAdded} title={t('first.add_title')} text={t('first.add_text')}>
          <Button variant={current === 1 ? 'filled' : 'default'} leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setAdding({ kind: 'new', preset: 'anthropic' })}>{t('first.add')}</Button>
          <Button leftSection={<IconFileImport size={14} aria-hidden />} onClick={importDocument}>{t('first.import')}</Button>
        </Step>
        <Step n={2} done={steps.copied} title={t('first.copy_title')} text={t('first.copy_text')}>
          <CopyButton variant={current === 2 ? 'filled' : 'default'} label={t('first.copy_address')} name={t('address.copy_address')} copy={() => copy({ what: 'address' })} />
          {key && <CopyButton label={t('first.copy_key')} name={t('address.copy_key')} copy={() => copy({ what: 'key', id: key.id })} />}
        </Step>
        <Step n={3} done={steps.requestAnswered} title={t('first.send_title')} text={t('first.send_text')}>
          <SendDemo primary={current === 3} show={show} />
        </Step>
      </ol>
      <UpstreamEditor target={adding} close={() => setAdding(null)} />
      {dialog}
    </Card>
  );
}

function Step({ n, done, title, text, children }: { readonly n: number; readonly done: boolean; readonly title: string; readonly text: string; readonly children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <li className={done ? 'hf-step hf-step-done' : 'hf-step'}>
      <span className="hf-step-sign">{done ? <IconCheck size={14} stroke={3} aria-hidden /> : <span aria-hidden="true">{n}</span>}<span className="hf-hidden">{done ? t('first.step_done', { n }) : t('first.step_open', { n })}</span></span>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
        <div className="hf-step-actions">{children}</div>
      </div>
    </li>
  );
}

function SendDemo({ primary, show }: { readonly primary: boolean; readonly show: (id: string) => void }) {
  const { t } = useTranslation();
  const { sendDemo } = useActions();
  const [since, setSince] = useState<number | null>(null);
  const [problem, setProblem] = useState<'gateway_not_running' | 'demo_gone' | null>(null);
  const send = async () => {
    const before = Date.now();
    const sent = await sendDemo();
    setProblem(sent.kind === 'failed' ? sent.reason : null);
    if (sent.kind === 'sent') setSince(before);
  };
  return (
    <>
      <Button variant={primary ? 'filled' : 'default'} leftSection={<IconSend size={14} aria-hidden />} onClick={() => { send().catch(() => setProblem('gateway_not_running')); }}>{t('first.send')}</Button>
      {problem !== null && <p role="alert">{t(`first.${problem}`)}</p>}
      {since !== null && <DemoStory since={since} show={show} />}
    </>
  );
}
