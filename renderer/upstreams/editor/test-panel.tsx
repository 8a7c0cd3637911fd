import { Button } from '@mantine/core';
import { IconCheck, IconMinus, IconStethoscope, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TestStep, UpstreamTest } from '../../../shared/upstream-test.ts';
import { useFormat } from '../../data/use-format.ts';
import { useUpstreamActions } from '../../data/use-upstream-actions.ts';
import type { UpstreamForm } from './use-upstream-form.ts';

type Result = { readonly kind: 'none' } | { readonly kind: 'unreachable' } | { readonly kind: 'running'; readonly of: string } | { readonly kind: 'done'; readonly of: string; readonly test: UpstreamTest };

const SIGNS = { passed: IconCheck, failed: IconX, skipped: IconMinus } as const;

/** Tries the way to the upstream as it is typed, step by step, without saving anything (SPEC 2.7). */
export function TestPanel({ form: { probe } }: { readonly form: UpstreamForm }) {
  const { t } = useTranslation();
  const { test } = useUpstreamActions();
  const [result, setResult] = useState<Result>({ kind: 'none' });
  const latest = useRef(0);
  const panel = useRef<HTMLElement>(null);
  // In a low window the steps would stand below the edge.
  useEffect(() => { if (result.kind === 'done') panel.current?.scrollIntoView({ block: 'nearest' }); }, [result]);
  const asked = JSON.stringify(probe);
  const run = () => {
    const turn = ++latest.current;
    const settle = (next: Result) => { if (turn === latest.current) setResult(next); };
    setResult({ kind: 'running', of: asked });
    test(probe).then((done) => settle({ kind: 'done', of: asked, test: done }), () => settle({ kind: 'unreachable' }));
  };
  const shown = result.kind === 'done' ? result : null;
  const stale = shown !== null && shown.of !== asked;
  return (
    <section ref={panel} className="hf-test" aria-label={t('test.title')}>
      <div className="hf-row">
        <Button leftSection={<IconStethoscope size={14} aria-hidden />} loading={result.kind === 'running'} onClick={run}>{t(shown === null ? 'test.run' : 'test.again')}</Button>
        <span className={stale || shown === null ? 'hf-dim hf-small' : shown.test.ok ? 'hf-test-ok' : 'hf-test-bad'} role="status">{line()}</span>
      </div>
      {shown !== null && !stale && <ol className="hf-test-steps">{shown.test.steps.map((step) => <Step key={step.step} step={step} via={shown.test.via} />)}</ol>}
    </section>
  );

  function line(): string {
    if (result.kind === 'none') return t('test.note');
    if (result.kind === 'running') return t('test.running');
    if (result.kind === 'unreachable') return t('state.error_text');
    if (stale) return t('test.stale');
    const failed = result.test.steps.find((step) => step.state === 'failed');
    if (failed === undefined) return result.test.models === null ? t('test.ok') : t('test.ok_models', { count: result.test.models.length });
    return t('test.failed_at', { step: t(`test.step.${failed.step}`), reason: failed.reason === null ? t('test.state.failed') : t(`test.reason.${failed.reason}`) });
  }
}

function Step({ step, via }: { readonly step: TestStep; readonly via: string | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const Sign = SIGNS[step.state];
  const reason = step.reason === null ? '' : t(`test.reason.${step.reason}`);
  return (
    <li className={`hf-test-step hf-test-${step.state}`}>
      <Sign size={14} stroke={2.4} aria-label={t(`test.state.${step.state}`)} />
      <strong>{t(`test.step.${step.step}`)}</strong>
      <span>
        {step.step === 'proxy' && via !== null && step.state === 'passed' ? t('test.via', { proxy: via }) : reason}
        {step.detail !== null && <q className="hf-text">{step.detail}</q>}
      </span>
      <span className="hf-num hf-dim">{step.tookMs === null ? '' : format.duration(step.tookMs)}</span>
    </li>
  );
}
