import { tryCandidate } from './candidate-attempt.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { waitForPlace } from './place-queue.ts';
import type { Candidate } from './ports.ts';
import { entryOf, failed, originOf } from './round-state.ts';
import type { Entries, Round, RoundEnd, RoundStart, Skipped } from './round-state.ts';

/** One pass over the set: candidate after candidate, without a pause, until one opens (SPEC 7.1). */
export async function passOver(exchange: ExchangeContext, set: Entries, start: RoundStart): Promise<RoundEnd> {
  const nowMs = exchange.parts.clock.now();
  const round: Round = {
    exchange, start, results: new Map(set.map((entry) => [entry.candidate, entry])), origins: new Set(), unreachable: new Set(),
    sent: 0, bypass: start.ignoreHints, granted: null, queuedMs: 0,
  };
  let pending: Entries = set.filter((entry) => start.ignoreHints || entry.hintUntilMs === null || entry.hintUntilMs <= nowMs);
  for (;;) {
    const swept = await sweep(round, pending).finally(() => {
      // The upstream whose place was waited for may have gone, or rest by now: the place is for others.
      round.granted?.release();
      round.granted = null;
    });
    if ('kind' in swept) return swept;
    const again = await whatIsLeft(round, swept);
    if ('kind' in again) return again;
    pending = again;
  }
}

async function sweep(round: Round, entries: Entries): Promise<RoundEnd | Skipped> {
  const skipped: Skipped = { unreachable: [], full: [], resting: [] };
  for (const [index, entry] of entries.entries()) {
    const othersLeft = entries.slice(index + 1).some((other) => gateOf(round, other.candidate) === 'open');
    const gate = gateOf(round, entry.candidate);
    const end = gate === 'open' ? await tryCandidate(round, entry.candidate, othersLeft) : gate;
    if (end === 'gone_away') round.results.delete(entry.candidate);
    else if (typeof end === 'string') {
      skipped[end].push(entry);
      if (entry.standing === 'curable') round.results.set(entry.candidate, { ...entry, standing: 'untried' });
    } else if (end !== null) return end;
  }
  return skipped;
}

/** Who of those passed by is tried after all, or how the round ends. */
async function whatIsLeft(round: Round, { unreachable, full, resting }: Skipped): Promise<Entries | RoundEnd> {
  // An origin that cannot be reached is asked again only when there was no other (SPEC 7.11).
  if (unreachable.length > 0 && round.origins.size === 1) {
    round.unreachable.clear();
    return unreachable;
  }
  const curable = [...round.results.values()].some((result) => result.standing === 'curable');
  if (!curable && full.length > 0) return waitForPlace(round, full);
  if (!curable && round.sent === 0 && resting.length > 0 && !round.bypass) {
    round.bypass = true;
    return resting;
  }
  return failed(round, null);
}

/** Why a candidate cannot be asked now. */
function gateOf(round: Round, candidate: Candidate): 'open' | 'gone_away' | keyof Skipped {
  const { parts } = round.exchange;
  const upstream = parts.config.upstream(candidate.upstreamId);
  if (!upstream?.enabled) return 'gone_away';
  if (round.unreachable.has(originOf(upstream))) return 'unreachable';
  return entryOf(round, upstream, candidate) === null ? 'resting' : 'open';
}
