import type { Random } from '../gateway/ports.ts';

/** The machine's dice. Good enough for jitter and choices between upstreams, not for secrets. */
export const systemRandom: Random = { draw: () => Math.random() };
