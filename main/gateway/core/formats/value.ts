/** A JSON object whose members are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object, or null when it is something else (arrays are something else). */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** The value as an array; anything else is an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The value as a text that is not empty, else null. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

// Sums of counts, and what they cost, stay whole numbers that can be stored; no answer has a thousandth of it.
const MOST = 1e12;

/** The value as a count (whole, 0-1e12), else null: upstreams send null, text, nonsense and nothing at all. */
export function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST ? value : null;
}

/** A code as text: numbers are codes too (`502`). Null when there is none. */
export function asCode(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : asText(value);
}

/** Whether a member says something: not null, false, zero, empty text, empty array or empty object. */
export function isFilled(value: unknown): boolean {
  if (!value) return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
