import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A button that copies by `copy` and says for two seconds whether it worked. */
export function CopyButton({ label, name, copy, variant = 'default' }: {
  readonly copy: () => Promise<boolean>;
  /** Word on the button; "Copy" when left out. */
  readonly label?: string;
  /** Accessible name that says what is copied. */
  readonly name: string;
  readonly variant?: 'default' | 'filled';
}) {
  const { t } = useTranslation();
  const [result, setResult] = useState<'none' | 'copied' | 'failed'>('none');
  useEffect(() => {
    if (result === 'none') return;
    const timer = setTimeout(() => setResult('none'), 2_000);
    return () => clearTimeout(timer);
  }, [result]);
  const click = () => { copy().then((copied) => setResult(copied ? 'copied' : 'failed'), () => setResult('failed')); };
  const word = result === 'copied' ? t('copy.copied') : result === 'failed' ? t('copy.failed') : (label ?? t('copy.copy'));
  return (
    <Button variant={variant} onClick={click} aria-label={result === 'none' ? name : word} leftSection={result === 'copied' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}>
      <span aria-live="polite">{word}</span>
    </Button>
  );
}
