import { globMatches } from './glob.ts';
import type { Price, PriceList, TablePrice } from './prices.ts';

/** Tokens as an answer tells them: input includes what was read from and written to a cache, output includes reasoning; null is not told. */
export interface TokenCounts {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
}

// Aggregators put the maker before the name; somebody else's name there (a host of open models) means somebody else's price.
const MAKER = /^(?:models|anthropic|openai|google|deepseek|mistralai|x-ai)\//;
// What marks an edition of a model and does not change its price: dates, editions, `latest`, `preview`.
const EDITION = /[-@](?:latest|preview(?:-\d{2}-\d{2,4})?|\d{8}|\d{4}-\d{2}-\d{2}|\d{3,4})$/;
const LONG_CONTEXT = /\[1m\]$/;

/** What tokens cost in millionths of a dollar, rounded; null when input or output is not told. $ per million tokens are millionths of a dollar per token. */
export function costMicros(price: TablePrice, { input, output, cacheRead, cacheWrite }: TokenCounts): number | null {
  if (input === null || output === null) return null;
  const rates = price.long !== undefined && input > price.long.over ? price.long : price;
  const read = cacheRead ?? 0;
  const written = cacheWrite ?? 0;
  // An upstream that counts its cache apart must not make the rest negative.
  const plain = Math.max(0, input - read - written);
  return Math.round(plain * rates.input + read * (rates.cacheRead ?? rates.input) + written * (rates.cacheWrite ?? rates.input) + output * rates.output);
}

/** The price of a model: the user's own before the table's; of several patterns that match the one with most letters. Null when the model is unpriced. */
export function priceOf(model: string, { own, table }: Pick<PriceList, 'own' | 'table'>): TablePrice | null {
  const names = namesOf(model);
  return closest(own, names) ?? closest(table, names);
}

/** The spellings of a model's name, from as it stands to bare: without its maker, without the mark of its edition. */
function namesOf(model: string): readonly string[] {
  const whole = model.toLowerCase();
  const name = whole.replace(MAKER, '').replace(LONG_CONTEXT, '');
  // Aggregators write `claude-opus-4.5` for what its maker calls `claude-opus-4-5`.
  const own = name.startsWith('claude-') ? name.replaceAll('.', '-') : name;
  return [whole, own, own.replace(EDITION, '')];
}

function closest<P extends Price>(prices: readonly P[], names: readonly string[]): P | null {
  let best: P | null = null;
  let letters = -1;
  for (const price of prices) {
    const pattern = price.model.toLowerCase();
    const length = pattern.replaceAll('*', '').length;
    if (length > letters && names.some((name) => globMatches(pattern, name))) {
      best = price;
      letters = length;
    }
  }
  return best;
}
