import type { Random } from '../ports.ts';

/** A UUID of version 7: 48 bits of time (ms since 1970), the rest chance. */
export function uuidV7(utcMs: number, random: Random): string {
  const time = hex(Math.floor(utcMs / 2 ** 24), 6) + hex(utcMs % 2 ** 24, 6);
  const version = `7${hex(random.draw() * 2 ** 12, 3)}`;
  const variant = hex(0x8000 + random.draw() * 2 ** 14, 4);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${hex(random.draw() * 2 ** 24, 6)}${hex(random.draw() * 2 ** 24, 6)}`;
}

// The whole part of a number below 16^digits, with its leading zeros.
function hex(value: number, digits: number): string {
  return (16 ** digits + Math.floor(value)).toString(16).slice(1);
}
