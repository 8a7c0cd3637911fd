import { useTranslation } from 'react-i18next';
import { PRESETS } from '../../shared/presets.ts';
import { PresetGlyph } from './preset-glyph.tsx';

/** Where nobody has added an upstream yet: the providers to begin with, each one click from its editor. */
export function FirstUpstream({ add, importDocument }: { readonly add: (preset: string) => void; readonly importDocument: () => void }) {
  const { t } = useTranslation();
  return (
    <section className="hf-card" aria-labelledby="first-upstream">
      <div className="hf-first-upstream">
        <h2 id="first-upstream">{t('upstreams.first_title')}</h2>
        <p className="hf-dim">{t('upstreams.first_text')}</p>
        <ul className="hf-tiles">
          {PRESETS.map(({ id, name }) => (
            <li key={id}>
              <button type="button" className="hf-tile" onClick={() => add(id)}>
                <PresetGlyph preset={id} name={name ?? t('editor.generic')} size={26} /><span className="hf-cut">{name ?? t('editor.generic')}</span>
              </button>
            </li>
          ))}
        </ul>
        <p className="hf-dim hf-small">{t('upstreams.first_import')} <button type="button" className="hf-linkish hf-small" onClick={importDocument}>{t('first.import')}</button></p>
      </div>
    </section>
  );
}
