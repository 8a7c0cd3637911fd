import { z } from 'zod';

/** The dearest price that can be set, $ per million tokens. */
export const DEAREST = 10_000;
/** How many prices a user can set. */
export const MOST_OWN_PRICES = 200;

const dollars = z.number().min(0).max(DEAREST);

/** What a model costs. `model` is a name or a glob with `*`; prices are $ per million tokens, 0 to `DEAREST`; null prices what is read from or written to a cache as other input. */
export const priceSchema = z.strictObject({
  model: z.string().trim().min(1).max(200),
  input: dollars,
  output: dollars,
  cacheRead: dollars.nullable(),
  cacheWrite: dollars.nullable(),
});
export type Price = Readonly<z.infer<typeof priceSchema>>;

/** A price of the table that comes with the app; where long prompts cost more, a prompt of more than `over` tokens is priced by `long` as a whole. */
export type TablePrice = Price & { readonly long?: Omit<Price, 'model'> & { readonly over: number } };

/** All prices: the user's own go first. */
export interface PriceList {
  /** The day on which the table was held against the providers' pages, `YYYY-MM-DD`. */
  readonly asOf: string;
  readonly table: readonly TablePrice[];
  readonly own: readonly Price[];
}

export type PriceSaved = { readonly ok: true; readonly prices: PriceList } | { readonly ok: false; readonly problem: 'too_many' };
