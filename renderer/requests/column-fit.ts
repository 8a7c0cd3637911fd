/** The columns of the list in order. Closed: also i18n keys under `column`. */
export const COLUMN_NAMES = ['time', 'client', 'key', 'model', 'upstream', 'status', 'retries', 'attempts', 'pause', 'first_content', 'duration', 'tokens', 'cost'] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

/** What the user made of the columns; what is left out is as designed. Widths in px. */
export interface ColumnChoice {
  readonly shown: Readonly<Partial<Record<ColumnName, boolean>>>;
  readonly widths: Readonly<Partial<Record<ColumnName, number>>>;
}

/** The columns as designed. */
export const AS_DESIGNED: ColumnChoice = { shown: {}, widths: {} };

export const LEAST_WIDTH = 32;
export const MOST_WIDTH = 640;

// Least widths in px where there is room and where there is not, and the share of the room left over (0: none).
const DESIGN: Readonly<Record<ColumnName, { readonly wide: number; readonly narrow: number; readonly grows: number }>> = {
  time: { wide: 66, narrow: 56, grows: 0 }, client: { wide: 84, narrow: 80, grows: 1 }, key: { wide: 66, narrow: 56, grows: 0.7 }, model: { wide: 104, narrow: 84, grows: 1.5 }, upstream: { wide: 78, narrow: 72, grows: 1 },
  status: { wide: 108, narrow: 96, grows: 0 }, retries: { wide: 56, narrow: 50, grows: 0 }, attempts: { wide: 80, narrow: 38, grows: 0 }, pause: { wide: 64, narrow: 50, grows: 0 },
  first_content: { wide: 108, narrow: 50, grows: 0 }, duration: { wide: 72, narrow: 54, grows: 0 }, tokens: { wide: 112, narrow: 78, grows: 0 }, cost: { wide: 66, narrow: 46, grows: 0 },
};
const OFF_AT_FIRST: readonly ColumnName[] = ['key'];
// Where there is no room, these go first: the drawer tells them, too. One that was asked for stays.
const FIRST_TO_GO: readonly ColumnName[] = ['attempts', 'pause', 'cost', 'first_content', 'tokens', 'client', 'duration'];

/** How the columns stand in the room there is. */
export interface ColumnFit {
  readonly names: readonly ColumnName[];
  /** Wanted, and left out for want of room. */
  readonly noRoom: readonly ColumnName[];
  readonly compact: boolean;
  /** Least widths in px, of every column. */
  readonly widths: Readonly<Record<ColumnName, number>>;
  /** Value of `grid-template-columns`. */
  readonly template: string;
  /** px; more than the room when the columns asked for need it, and the table scrolls sideways then. */
  readonly leastWidth: number;
}

/** Whether a column is wanted. */
export function isWanted(choice: ColumnChoice, name: ColumnName): boolean {
  return choice.shown[name] ?? !OFF_AT_FIRST.includes(name);
}

/** Lays the wanted columns into a room of `width` px. */
export function fitColumns(choice: ColumnChoice, width: number): ColumnFit {
  let names = COLUMN_NAMES.filter((name) => isWanted(choice, name));
  const least = (compact: boolean) => Object.fromEntries(COLUMN_NAMES.map((name) => [name, choice.widths[name] ?? DESIGN[name][compact ? 'narrow' : 'wide']])) as Record<ColumnName, number>;
  const sum = (compact: boolean, widths: Readonly<Record<ColumnName, number>>) => names.reduce((total, name) => total + widths[name], 0) + (names.length - 1) * (compact ? 8 : 12) + (compact ? 20 : 24);
  const compact = sum(false, least(false)) > width;
  const widths = least(compact);
  const need = () => sum(compact, widths);
  const noRoom: ColumnName[] = [];
  for (const name of FIRST_TO_GO) {
    if (need() <= width) break;
    if (!names.includes(name) || choice.shown[name] === true) continue;
    names = names.filter((one) => one !== name);
    noRoom.push(name);
  }
  const track = (name: ColumnName) => (choice.widths[name] !== undefined || DESIGN[name].grows === 0 ? `${widths[name]}px` : `minmax(${widths[name]}px, ${DESIGN[name].grows}fr)`);
  return { names, noRoom, compact, widths, template: names.map(track).join(' '), leastWidth: Math.ceil(need()) };
}

/** Shows or hides a column. */
export function chosen(choice: ColumnChoice, name: ColumnName, shown: boolean): ColumnChoice {
  return { ...choice, shown: { ...choice.shown, [name]: shown } };
}

/** Gives a column a width in px, held within its bounds. */
export function sized(choice: ColumnChoice, name: ColumnName, width: number): ColumnChoice {
  return { ...choice, widths: { ...choice.widths, [name]: Math.round(Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, width))) } };
}

/** What was remembered, as far as it still makes sense: it may be of another version, or broken. */
export function readChoice(text: string | null): ColumnChoice {
  let found: unknown;
  try {
    found = JSON.parse(text ?? 'null');
  } catch {
    return AS_DESIGNED;
  }
  const part = (name: 'shown' | 'widths') => (typeof found === 'object' && found !== null && name in found ? (found as Record<string, unknown>)[name] : null);
  const entries = (value: unknown) => (typeof value === 'object' && value !== null ? Object.entries(value) : []).filter((entry): entry is [ColumnName, unknown] => COLUMN_NAMES.includes(entry[0] as ColumnName));
  const shown = entries(part('shown')).filter((entry): entry is [ColumnName, boolean] => typeof entry[1] === 'boolean');
  const widths = entries(part('widths')).filter((entry): entry is [ColumnName, number] => typeof entry[1] === 'number' && entry[1] >= LEAST_WIDTH && entry[1] <= MOST_WIDTH);
  return { shown: Object.fromEntries(shown), widths: Object.fromEntries(widths) };
}
