import type { PriceBook } from '../prices/price-book.ts';
import type { Handlers } from './serve.ts';

/** What the window does with prices. */
export function createPriceHandlers(prices: Pick<PriceBook, 'list' | 'set' | 'remove'>): Pick<Handlers, 'prices.list' | 'prices.set' | 'prices.remove'> {
  return {
    'prices.list': () => prices.list(),
    'prices.set': ({ price, replaces }) => prices.set(price, replaces),
    'prices.remove': ({ model }) => prices.remove(model),
  };
}
