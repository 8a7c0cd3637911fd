import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeptContents } from '../../shared/contents.ts';
import { useFormat } from '../data/use-format.ts';
import { useSettings } from '../data/use-settings.ts';
import { BodyView } from './body-view.tsx';

/** Headers and bodies that the log kept, each folded until it is wanted. */
export function Contents({ contents }: { readonly contents: KeptContents }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { settings } = useSettings();
  const { requestHeaders, answerHeaders, request, answer } = contents;
  return (
    <div className="hf-contents">
      {request !== null && <Fold title={t('contents.request_body')} note={format.bytes(request.bytes)}>{() => <BodyView body={request} name={t('contents.request_body')} isAnswer={false} />}</Fold>}
      {answer !== null && <Fold title={t('contents.answer_body')} note={format.bytes(answer.bytes)}>{() => <BodyView body={answer} name={t('contents.answer_body')} isAnswer />}</Fold>}
      <Fold title={t('contents.request_headers')} note={format.number(requestHeaders.length)}>{() => <Headers headers={requestHeaders} name={t('contents.request_headers')} />}</Fold>
      {answerHeaders !== null && <Fold title={t('contents.answer_headers')} note={format.number(answerHeaders.length)}>{() => <Headers headers={answerHeaders} name={t('contents.answer_headers')} />}</Fold>}
      {request === null && answer === null && settings !== undefined && <p className="hf-dim hf-small">{t(`contents.no_bodies.${settings['logs.bodies']}`)}</p>}
    </div>
  );
}

// What is inside is made when it is opened: a body takes work.
function Fold({ title, note, children }: { readonly title: string; readonly note: string; readonly children: () => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="hf-fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}<span className="hf-dim">{note}</span></summary>
      {open && children()}
    </details>
  );
}

function Headers({ headers, name }: { readonly headers: readonly (readonly [string, string])[]; readonly name: string }) {
  return (
    <dl className="hf-headers" aria-label={name}>
      {headers.map(([header, value], index) => <div key={index}><dt className="hf-mono">{header}</dt><dd className="hf-mono hf-text">{value}</dd></div>)}
    </dl>
  );
}
