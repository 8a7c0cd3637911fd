import type { ReactNode } from 'react';
import type { SettingKey } from '../../shared/settings.ts';

/** The name of a setting as it stands in documents and in the log: a key, or a field of one. */
export type SettingName = SettingKey | `${SettingKey}.${string}`;

interface SettingWords {
  readonly setting: SettingName;
  readonly title: string;
  readonly help: ReactNode;
  /** Level of its heading: 2 on the page, 3 in a card that has a heading of its own. */
  readonly level?: 2 | 3;
  readonly children: ReactNode;
}

/** One setting: what it does in one line, its key as tooltip, its control at the right. */
export function SettingLine({ setting, title, help, level = 2, children }: SettingWords) {
  const Heading = `h${level}` as const;
  return (
    <div className="hf-setting">
      <div>
        <Heading title={setting}>{title}</Heading>
        <p className="hf-dim">{help}</p>
      </div>
      <div>{children}</div>
    </div>
  );
}

/** One setting among others in a grid: its control under its name, and what it does under that. */
export function SettingCell({ setting, title, help, level = 3, children }: SettingWords) {
  const Heading = `h${level}` as const;
  return (
    <div className="hf-cell">
      <Heading title={setting}>{title}</Heading>
      {children}
      <p className="hf-dim hf-small">{help}</p>
    </div>
  );
}
