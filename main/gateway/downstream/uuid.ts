import type { Random } from '../ports.ts';

/** A UUID of version 7: 48 bits of time (ms since 1970), the rest chance. */
export function uuidV7(utcMs: number, random: Random): string {
  const time = Math.floor(utcMs).toString(16).padStart(12, '0').slice(-12);
  const a = bits(random, 12, 3);
  const variant = (8 + Math.floor(random.draw() * 4)).toString(16);
  const b = bits(random, 12, 3);
  const c = bits(random, 24, 6) + bits(random, 24, 6);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${a}-${variant}${b}-${c}`;
}

function bits(random: Random, count: number, digits: number): string {
  return Math.floor(random.draw() * 2 ** count).toString(16).padStart(digits, '0');
}
