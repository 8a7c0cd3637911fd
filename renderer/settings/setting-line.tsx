import type { ReactNode } from 'react';
import type { SettingKey } from '../../shared/settings.ts';

/** One setting: what it does in one line, its key as tooltip, its control at the right. */
export function SettingLine({ setting, title, help, children }: { readonly setting: SettingKey; readonly title: string; readonly help: string; readonly children: ReactNode }) {
  return (
    <div className="hf-setting">
      <div>
        <h2 title={setting}>{title}</h2>
        <p className="hf-dim">{help}</p>
      </div>
      <div>{children}</div>
    </div>
  );
}
