import { z } from 'zod';
import { costMicros, priceOf, type TokenCounts } from '../../shared/cost.ts';
import { MOST_OWN_PRICES, priceSchema, type Price, type PriceList, type PriceSaved, type TablePrice } from '../../shared/prices.ts';
import table from './price-table.json' with { type: 'json' };

const TABLE: readonly TablePrice[] = table.prices;
const KEPT_MODELS = 500;
const KEY = 'prices';
const keptPrices = z.array(priceSchema);

/** Where the user's own prices are kept. */
interface PriceState {
  /** The same object until it changes. */
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}

/** The prices, and what answers cost by them. */
export interface PriceBook {
  list(): PriceList;
  /** Sets an own price; one for the same model, and the one that it `replaces`, go. Rejects when it cannot be written. */
  set(price: Price, replaces: string | null): Promise<PriceSaved>;
  /** Takes an own price away: the table counts again. */
  remove(model: string): Promise<PriceList>;
  /** Cost in millionths of a dollar by the first of these names that has a price; null when none has, or the tokens are not told. Cheap: asked once for each answer. */
  costOf(models: readonly (string | null)[], tokens: TokenCounts): number | null;
}

/** Opens the book on what is kept; an own price that cannot be read is left out. */
export function openPriceBook(state: PriceState): PriceBook {
  let kept: unknown;
  let ownPrices: readonly Price[] = [];
  // Emptied when it is full and when an own price changes: names come from answers, so there is no end to them.
  const known = new Map<string, TablePrice | null>();
  // A reset, or taking one back, changes what is kept, too.
  const own = (): readonly Price[] => {
    const now = state.get(KEY);
    if (now !== kept) {
      kept = now;
      ownPrices = readOwn(now);
      known.clear();
    }
    return ownPrices;
  };
  const list = (): PriceList => ({ asOf: table.asOf, table: TABLE, own: own() });
  const lookUp = (model: string): TablePrice | null => {
    const mine = own();
    const found = known.get(model);
    if (found !== undefined) return found;
    if (known.size >= KEPT_MODELS) known.clear();
    const price = priceOf(model, { own: mine, table: TABLE });
    known.set(model, price);
    return price;
  };
  return {
    list,
    set: async (price, replaces) => {
      const others = own().filter(({ model }) => model !== price.model && model !== replaces);
      if (others.length >= MOST_OWN_PRICES) return { ok: false, problem: 'too_many' };
      await state.set(KEY, [...others, price]);
      return { ok: true, prices: list() };
    },
    remove: async (model) => {
      await state.set(KEY, own().filter((one) => one.model !== model));
      return list();
    },
    costOf: (models, tokens) => {
      for (const model of models) {
        const price = model === null ? null : lookUp(model);
        if (price !== null) return costMicros(price, tokens);
      }
      return null;
    },
  };
}

function readOwn(kept: unknown): readonly Price[] {
  const all = keptPrices.safeParse(kept);
  if (all.success) return all.data;
  return Array.isArray(kept) ? kept.flatMap((one) => priceSchema.safeParse(one).data ?? []) : [];
}
