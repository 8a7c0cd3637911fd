import type { FailureClass } from '../../../shared/failure.ts';

// What has to happen when upstreams behave in certain ways, worked out by hand from SPEC 4, 7 and 9 for one fixed policy. Nothing of the
// product is used here: it is the other side of the comparison.

export const BEHAVIOURS = ['ok', '503', '429', '401', '404', 'reset', 'hang', 'overload'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** The policy of the comparison: one retry after 2 s, 120 s in all, 60 s for an attempt, an early head after 15 s. Nobody cools. */
export const PAUSE_MS = 2_000;
export const ATTEMPT_LIMIT_MS = 60_000;
const DEADLINE_MS = 120_000;
const ROUNDS = 2;
const EARLY_HEAD_MS = 15_000;

/** SPEC 4.1: the class, and whether sending again may cure it. All of these fail over. SPEC 10.1: which failure is worth keeping. SPEC 10.1, 4.8: what the client gets when nothing has been sent yet. */
const TABLE: Readonly<Record<Exclude<Behaviour, 'ok'>, { readonly class: FailureClass; readonly rank: number; readonly streamed: number; readonly whole: number }>> = {
  503: { class: 'transient', rank: 2, streamed: 503, whole: 503 },
  reset: { class: 'transient', rank: 2, streamed: 502, whole: 502 },
  // As a stream it goes out as it came; as a whole answer it has the status that stands for it.
  overload: { class: 'transient', rank: 2, streamed: 200, whole: 529 },
  429: { class: 'rate_limited', rank: 1, streamed: 429, whole: 429 },
  401: { class: 'auth', rank: 0, streamed: 401, whole: 401 },
  404: { class: 'model_missing', rank: 0, streamed: 404, whole: 404 },
  // Without `retry_on_timeout` no retry.
  hang: { class: 'timeout', rank: 0, streamed: 504, whole: 504 },
};

export interface Expected {
  /** `a0 503`: who, in which round, and how it went. */
  readonly attempts: readonly string[];
  readonly outcome: 'success' | 'failed';
  readonly status: number;
  readonly giveUp: 'not_transient' | 'attempts' | 'deadline' | null;
  /** Whose answer or failure the client got. */
  readonly upstream: string;
}

/** What must come of one request to upstreams that always behave like this, in their order. */
export function expected(behaviours: readonly Behaviour[], streamed: boolean): Expected {
  const names = ['A', 'B', 'C'];
  const attempts: string[] = [];
  let elapsedMs = 0;
  let kept: { readonly behaviour: Exclude<Behaviour, 'ok'>; readonly name: string } | null = null;
  let set = behaviours.map((behaviour, place) => ({ behaviour, name: names[place] ?? '' }));
  for (let round = 0; ; round++) {
    for (const [place, { behaviour, name }] of set.entries()) {
      if (behaviour === 'ok') return { attempts: [...attempts, `${name}${round} ok`], outcome: 'success', status: 200, giveUp: null, upstream: name };
      const row = TABLE[behaviour];
      attempts.push(`${name}${round} ${row.class}`);
      const isLast = place === set.length - 1;
      const couldRetry = round + 1 < ROUNDS && elapsedMs + PAUSE_MS < DEADLINE_MS;
      // SPEC 6.1: nothing can follow, so nothing is held; what has gone out cannot be taken back.
      if (behaviour === 'overload' && streamed && isLast && !couldRetry) return { attempts, outcome: 'failed', status: 200, giveUp: round + 1 >= ROUNDS ? 'attempts' : 'deadline', upstream: name };
      if (behaviour === 'hang') elapsedMs += ATTEMPT_LIMIT_MS;
      if (kept === null || row.rank >= TABLE[kept.behaviour].rank) kept = { behaviour, name };
    }
    const curable = set.filter(({ behaviour }) => behaviour !== 'ok' && TABLE[behaviour].class === 'transient');
    const giveUp = curable.length === 0 ? 'not_transient' : round + 1 >= ROUNDS ? 'attempts' : elapsedMs + PAUSE_MS >= DEADLINE_MS ? 'deadline' : null;
    if (giveUp !== null && kept !== null) {
      const { behaviour, name } = kept;
      const status = streamed && elapsedMs >= EARLY_HEAD_MS ? 200 : TABLE[behaviour][streamed ? 'streamed' : 'whole'];
      return { attempts, outcome: 'failed', status, giveUp, upstream: name };
    }
    elapsedMs += PAUSE_MS;
    set = curable;
  }
}
