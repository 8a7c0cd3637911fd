import type { PauseVerdict } from './pauses.ts';
import type { Entries, Round, RoundEnd } from './round-state.ts';

/** Waits in the queue for the first free place, until the deadline (SPEC 9.3). */
export async function waitForPlace(round: Round, full: Entries): Promise<Entries | RoundEnd> {
  const { exchange } = round;
  const { parts, arrival, reply, revoked, policy, record } = exchange;
  const wanted = full.flatMap(({ candidate }) => {
    const upstream = parts.config.upstream(candidate.upstreamId);
    return upstream === null ? [] : [upstream];
  });
  parts.journal.note({ kind: 'queued', id: arrival.id, at: parts.clock.utc(), upstreams: wanted.map((upstream) => upstream.name) });
  const ticket = parts.slots.wait(wanted.map((upstream) => ({ upstreamId: upstream.id, cap: upstream.maxInFlight })), arrival.atMs);
  const beganMs = parts.clock.now();
  let why: PauseVerdict;
  // The machine's waking and Retry now do not make a place (SPEC 7.12 f).
  do why = await parts.pauses.wait(arrival.id, Math.max(0, arrival.atMs + policy.deadlineMs - parts.clock.now()), { gone: reply.gone, revoked, ready: ticket.granted });
  while (why === 'wake' || why === 'retry_now');
  const tookMs = parts.clock.now() - beganMs;
  record.queued(tookMs);
  if (why === 'ready') {
    round.granted = ticket.slot();
    round.queuedMs += tookMs;
    // The one whose place it is goes first; the others follow if it fails.
    return [...full].sort((a, b) => Number(b.candidate.upstreamId === round.granted?.upstreamId) - Number(a.candidate.upstreamId === round.granted?.upstreamId));
  }
  ticket.leave();
  if (why === 'gone') return { kind: 'gone', during: 'queue' };
  return { kind: 'busy', why: why === 'give_up' ? 'user' : why === 'stopping' ? 'stopping' : why === 'revoked' ? 'cancelled' : 'deadline' };
}
