import type { TFunction } from 'i18next';
import { tagOf } from './i18n.ts';

/** Numbers, times and lists in the language of `t`; every duration carries its unit. */
export interface Formatter {
  readonly number: (value: number) => string;
  /** 48,210 as `48.2K`. */
  readonly compact: (value: number) => string;
  /** Of milliseconds: `412 ms`, `1.9 s`, `118.6 s`, `21.4 min`. */
  readonly duration: (ms: number) => string;
  /** Of milliseconds, always in seconds with one decimal place, for countdowns that must not jump. */
  readonly seconds: (ms: number) => string;
  /** Of milliseconds, for columns: one decimal place in every row. */
  readonly cell: (ms: number) => string;
  /** Of milliseconds, for axes: the origin in seconds. */
  readonly tick: (ms: number) => string;
  readonly percent: (share: number) => string;
  /** Of one part among all, to a tenth of a percent; `< 0.1%` for less, and 100% only when it is all. */
  readonly shareOf: (part: number, all: number) => string;
  /** Of milliseconds, for sums: `48 s`, `12 min`, `3 h 12 min`, `2 d 4 h`. */
  readonly total: (ms: number) => string;
  /** A price in dollars, with as many digits as it has. */
  readonly price: (dollars: number) => string;
  /** A share of one with one decimal place: `96.1%`. */
  readonly share: (share: number) => string;
  /** Of millionths of a dollar: `$0.0042`, `$1.37`; small sums keep two digits that say something. */
  readonly money: (micros: number) => string;
  /** `14:32:07` of ms since 1970. */
  readonly clock: (utcMs: number) => string;
  /** The day of a moment: `Mar 14`. */
  readonly day: (utcMs: number) => string;
  /** `14:30` of ms since 1970. */
  readonly hour: (utcMs: number) => string;
  /** `Sat 28 Nov` of ms since 1970. */
  readonly weekday: (utcMs: number) => string;
  /** The day in full, of ms since 1970 at the beginning of that day in UTC. */
  readonly date: (utcMs: number) => string;
  /** Date and time to the millisecond. */
  readonly moment: (utcMs: number) => string;
  /** Date and time to the second. */
  readonly second: (utcMs: number) => string;
  /** Whole sentences one after the other. */
  readonly sentences: (sentences: readonly string[]) => string;
  /** Parts of one sentence, with commas. */
  readonly commas: (parts: readonly string[]) => string;
  /** `a, b, c`: short things of one kind. */
  readonly series: (items: readonly string[]) => string;
  /** `a, b and c`. */
  readonly list: (items: readonly string[]) => string;
  readonly bytes: (count: number) => string;
}

const made = new Map<string, Formatter>(); // Cleared never: one entry per language.

/** The formatter of a language; built once, since `Intl` objects are slow to make. */
export function formatterOf(language: string, t: TFunction): Formatter {
  const known = made.get(language);
  if (known !== undefined) return known;
  const formatter = createFormatter(tagOf(language), t, language);
  made.set(language, formatter);
  return formatter;
}

function createFormatter(tag: string, translate: TFunction, language: string): Formatter {
  const t = (key: string, n: string) => translate(key, { n, lng: language });
  const plain = new Intl.NumberFormat(tag);
  const compact = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 });
  const oneDecimal = new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const upToOne = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 });
  const share = new Intl.NumberFormat(tag, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const dollars = new Intl.NumberFormat(tag, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' });
  const cents = new Intl.NumberFormat(tag, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', maximumSignificantDigits: 2 });
  const day = new Intl.DateTimeFormat(tag, { month: 'short', day: 'numeric' });
  const tenths = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
  const price = new Intl.NumberFormat(tag, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', minimumFractionDigits: 2, maximumFractionDigits: 6 });
  const hour = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const weekday = new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'short' });
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
  const clock = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
  const moment = new Intl.DateTimeFormat(tag, {
    year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23',
  });
  const second = new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
  const list = new Intl.ListFormat(tag, { style: 'long', type: 'conjunction' });
  const duration = (ms: number): string => {
    if (ms < 1_000) return t('unit.ms', plain.format(Math.round(ms)));
    if (ms < 1_000_000) return t('unit.s', upToOne.format(ms / 1_000));
    return t('unit.min', upToOne.format(ms / 60_000));
  };
  return {
    number: (value) => plain.format(value),
    compact: (value) => compact.format(value),
    duration,
    seconds: (ms) => t('unit.s', oneDecimal.format(Math.max(0, ms) / 1_000)),
    cell: (ms) => (ms < 50 ? t('unit.ms', plain.format(Math.round(ms))) : ms < 1_000_000 ? t('unit.s', oneDecimal.format(ms / 1_000)) : t('unit.min', oneDecimal.format(ms / 60_000))),
    tick: (ms) => (ms === 0 ? t('unit.s', plain.format(0)) : duration(ms)),
    percent: (part) => percent.format(part),
    share: (part) => share.format(part),
    shareOf: (part, all) => (part > 0 && part < all / 1_000 ? `< ${tenths.format(0.001)}` : tenths.format(all === 0 ? 0 : Math.floor(part / all * 1_000) / 1_000)),
    total: (ms) => total(ms, (key, n) => t(key, plain.format(n))),
    price: (value) => price.format(value),
    hour: (utcMs) => hour.format(utcMs),
    weekday: (utcMs) => weekday.format(utcMs),
    date: (utcMs) => date.format(utcMs),
    money: (micros) => (micros === 0 || micros >= 100_000 ? dollars : cents).format(micros / 1_000_000),
    clock: (utcMs) => clock.format(utcMs),
    day: (utcMs) => day.format(utcMs),
    moment: (utcMs) => moment.format(utcMs),
    second: (utcMs) => second.format(utcMs),
    sentences: (sentences) => sentences.filter((one) => one !== '').join(language === 'zh' ? '' : ' '),
    commas: (parts) => parts.filter((one) => one !== '').join(language === 'zh' ? '，' : ', '),
    series: (items) => items.join(language === 'zh' ? '、' : ', '),
    // Chinese writes no word before the last one here, and the library sets it without its blank.
    list: (items) => (language === 'zh' ? items.join('、') : list.format(items)),
    bytes: (count) => (count < 1_024 ? t('unit.byte', plain.format(count)) : count < 1_048_576 ? t('unit.kib', upToOne.format(count / 1_024)) : t('unit.mib', upToOne.format(count / 1_048_576))),
  };
}

// Two units are enough: nobody reads the seconds of three hours.
function total(ms: number, unit: (key: string, n: number) => string): string {
  const secs = Math.round(ms / 1_000);
  if (secs < 60) return unit('unit.s', secs);
  const [, bigger, size, smaller, smallSize] = UNITS.find(([from]) => secs >= from) ?? UNITS[2];
  const big = Math.floor(secs / size);
  const small = smaller === null ? 0 : Math.floor((secs % size) / smallSize);
  return smaller === null || small === 0 ? unit(bigger, big) : `${unit(bigger, big)} ${unit(smaller, small)}`;
}

const UNITS = [[86_400, 'unit.d', 86_400, 'unit.h', 3_600], [3_600, 'unit.h', 3_600, 'unit.min', 60], [60, 'unit.min', 60, null, 1]] as const;
