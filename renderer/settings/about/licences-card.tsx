import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Licence } from '../../../shared/data.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState, LoadingState } from '../../ui/state.tsx';
import { useLicences } from './use-about.ts';

/** Everything the app is built from, each with its licence; a click shows the text. */
export function LicencesCard() {
  const { t } = useTranslation();
  const { licences, failed, again } = useLicences();
  return (
    <Card title={t('about.licences')} note={licences && <span className="hf-dim">{t('about.licences_count', { count: licences.length })}</span>}>
      <p className="hf-dim">{t('about.licences_text')}</p>
      {failed ? <ErrorState again={again} /> : licences === undefined ? <LoadingState lines={4} />
        : <ul className="hf-licences">{licences.map((one) => <LicenceLine key={`${one.name} ${one.version}`} licence={one} />)}</ul>}
    </Card>
  );
}

function LicenceLine({ licence: { name, version, licence, text } }: { readonly licence: Licence }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <li>
      <button type="button" className="hf-licence" aria-expanded={opened} onClick={() => setOpened(!opened)}>
        <span className="hf-mono">{name}</span><span className="hf-dim">{version}</span><span>{licence}</span>
      </button>
      {opened && <pre className="hf-mono hf-licence-text" tabIndex={0} aria-label={name}>{text === '' ? t('about.no_text') : text}</pre>}
    </li>
  );
}
