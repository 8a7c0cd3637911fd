const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;

/** The three spellings of a date in HTTP headers: today's, RFC 850's, and asctime's. */
const SPELLINGS = [
  /^[a-z]{3}, (?<day>\d{1,2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<h>\d{2}):(?<m>\d{2}):(?<s>\d{2}) gmt$/,
  /^[a-z]{6,9}, (?<day>\d{2})-(?<month>[a-z]{3})-(?<year>\d{2}) (?<h>\d{2}):(?<m>\d{2}):(?<s>\d{2}) gmt$/,
  /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<h>\d{2}):(?<m>\d{2}):(?<s>\d{2}) (?<year>\d{4})$/,
];

/** An HTTP date as ms since 1970, or null when it is none. Two-digit years are those of this century. */
export function httpDateMs(text: string): number | null {
  const wanted = text.trim().toLowerCase();
  for (const spelling of SPELLINGS) {
    const parts = spelling.exec(wanted)?.groups;
    if (parts === undefined) continue;
    const month = MONTHS.indexOf(parts['month'] ?? '') + 1;
    const day = Number(parts['day']);
    const year = Number(parts['year']);
    const [hours, minutes, seconds] = [Number(parts['h']), Number(parts['m']), Number(parts['s'])];
    // 60 is a leap second.
    if (month === 0 || day < 1 || day > 31 || hours > 23 || minutes > 59 || seconds > 60) return null;
    return daysSince1970(year < 100 ? year + 2_000 : year, month, day) * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  }
  return null;
}

/** Days from 1970-01-01 to a date of the Gregorian calendar: years begin in March, so that the leap day is the last of its year. */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}
