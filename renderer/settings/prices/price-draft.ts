import { priceSchema, type Price } from '../../../shared/prices.ts';

/** The numbers of a price, in the order in which they stand. */
export const RATES = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
export type Rate = (typeof RATES)[number];

/** A price as it is typed. */
export type PriceDraft = { readonly [K in 'model' | Rate]: string };

/** The form of what is known of a price. Null, which is "as input", is an empty field. */
export function draftOf({ model = '', input, output, cacheRead, cacheWrite }: Partial<Price>): PriceDraft {
  const text = (value: number | null | undefined) => (value == null ? '' : String(value));
  return { model, input: text(input), output: text(output), cacheRead: text(cacheRead), cacheWrite: text(cacheWrite) };
}

/** Why a field is refused; words by `prices.fault`. */
export type PriceFault = 'model_missing' | 'model_long' | 'number';
export type PriceReading = { readonly ok: true; readonly price: Price } | { readonly ok: false; readonly faults: { readonly [K in keyof PriceDraft]?: PriceFault } };

/** Reads a form, by the very schema that main checks with. A comma is a decimal point, as many people type it. */
export function readPrice(draft: PriceDraft): PriceReading {
  const rate = (text: string): number | null => (text.trim() === '' ? null : Number(text.trim().replace(',', '.')));
  const parsed = priceSchema.safeParse({ model: draft.model, input: rate(draft.input), output: rate(draft.output), cacheRead: rate(draft.cacheRead), cacheWrite: rate(draft.cacheWrite) });
  if (parsed.success) return { ok: true, price: parsed.data };
  const fields = new Set(parsed.error.issues.map(({ path }) => path[0]));
  return {
    ok: false,
    faults: {
      ...(fields.has('model') && { model: draft.model.trim() === '' ? 'model_missing' as const : 'model_long' as const }),
      ...Object.fromEntries(RATES.filter((name) => fields.has(name)).map((name) => [name, 'number' as const])),
    },
  };
}
