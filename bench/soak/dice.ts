/** Chance from a seed, so that a run can be made again. */
export interface Dice {
  /** In [0, 1). */
  draw(): number;
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** One of these, each as likely as its weight says. */
  among<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
}

/** Makes dice (mulberry32). */
export function diceOf(seed: number): Dice {
  let state = seed;
  const draw = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    draw,
    below: (limit) => Math.floor(draw() * limit),
    among: (choices) => {
      let left = draw() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, choice] of choices) if ((left -= weight) < 0) return choice;
      throw new RangeError('nothing to choose from');
    },
  };
}
