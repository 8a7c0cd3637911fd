import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeptBody } from '../../shared/contents.ts';
import { useFormat } from '../data/use-format.ts';
import { useActions } from '../data/use-main.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { useRowsInSight } from '../ui/use-rows-in-sight.ts';
import { bodyLines, rawLines } from './body-lines.ts';
import { wordsOf } from './body-words.ts';

const LINE_HEIGHT = 18;
type Face = 'words' | 'lines' | 'raw';

/** A kept body: readable, its words alone, or as it came; only the lines in sight are drawn. */
export function BodyView({ body, name, isAnswer }: { readonly body: KeptBody; /** Accessible name. */ readonly name: string; readonly isAnswer: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { copy } = useActions();
  const [face, setFace] = useState<Face>('lines');
  const { text } = body;
  const readable = useMemo(() => bodyLines(text ?? ''), [text]);
  const words = useMemo(() => (isAnswer ? wordsOf(text ?? '') : ''), [text, isAnswer]);
  const faces: Face[] = [...(words === '' ? [] : ['words' as const]), ...(readable.kind === 'text' ? [] : ['lines' as const]), 'raw'];
  const shown = faces.includes(face) ? face : 'raw';
  const lines = useMemo(() => (shown === 'lines' ? readable.lines : shown === 'raw' ? rawLines(text ?? '') : []), [shown, readable, text]);
  if (text === null) return <p className="hf-dim">{t('body.not_text', { size: format.bytes(body.bytes) })}</p>;
  return (
    <>
      <div className="hf-row hf-body-bar">
        {faces.length > 1 && <SegmentedControl size="xs" value={shown} onChange={(value) => setFace(value)} aria-label={t('body.face')} data={faces.map((one) => ({ value: one, label: one === 'lines' ? t(readable.kind === 'json' ? 'body.face_name.json' : 'body.face_name.events') : t(`body.face_name.${one}`) }))} />}
        <span className="hf-spring" />
        <CopyButton name={t('body.copy', { name })} copy={() => copy({ what: 'text', text: shown === 'words' ? words : text })} />
      </div>
      {body.cut && <p className="hf-small hf-cut-note">{t('body.cut', { kept: format.bytes(keptBytes(text)), size: format.bytes(body.bytes) })}</p>}
      {shown === 'words' ? <div className="hf-body hf-text hf-body-words" role="region" aria-label={name} tabIndex={0}>{words}</div> : <Lines key={shown} lines={lines} name={name} />}
    </>
  );
}

// Counted anew: what is kept was decoded and masked.
function keptBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function Lines({ lines, name }: { readonly lines: readonly string[]; readonly name: string }) {
  const { ref, onScroll, from, to } = useRowsInSight(lines.length, LINE_HEIGHT, 0);
  const drawn = lines.slice(from, to);
  return (
    <div className="hf-body hf-text" role="region" aria-label={name} tabIndex={0} ref={ref} onScroll={onScroll} style={{ height: Math.min(320, lines.length * LINE_HEIGHT + 16) }}>
      <div className="hf-body-lines" style={{ height: lines.length * LINE_HEIGHT, minWidth: `${Math.max(0, ...drawn.map((line) => line.length))}ch` }}>
        {drawn.map((line, at) => <div key={from + at} style={{ transform: `translateY(${(from + at) * LINE_HEIGHT}px)` }}>{line}</div>)}
      </div>
    </div>
  );
}
