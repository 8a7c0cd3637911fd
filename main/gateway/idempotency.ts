import type { Outcome } from '../../shared/failure.ts';
import { answerAtHand } from './answer-at-hand.ts';
import { createRecord } from './exchange-record.ts';
import type { Arrival, Clock, Ending, Exchanges, Journal, Opened, Reply, ReplyNotes, Sink } from './ports.ts';

/** Limits of SPEC 1.9: kept in memory only. */
const KEPT_MS = 10 * 60_000;
const KEPT_ENTRIES = 256;
const KEPT_BYTES = 64 * 1_048_576;
const ANSWER_BYTES = 8 * 1_048_576;

interface StoredAnswer {
  readonly status: number;
  readonly headers: Opened['headers'];
  readonly body: Uint8Array;
}

interface Entry {
  readonly bodyHash: string;
  /** null while its first exchange runs. */
  stored: { readonly answer: StoredAnswer; readonly untilMs: number } | null;
  /** Exchanges that wait for the first, oldest first. They get the answer, or null when the turn is theirs. */
  readonly waiting: ((answer: StoredAnswer | null) => void)[];
}

interface IdempotencyParts {
  readonly exchanges: Exchanges;
  readonly clock: Clock;
  readonly journal: Journal;
}

/** The loop behind `Idempotency-Key`: a repeated request gets the first one's answer, or waits for it (SPEC 1.9). Everything else passes through. */
export function createIdempotentExchanges({ exchanges, clock, journal }: IdempotencyParts): Exchanges {
  // Bounded by `trim`; entries in flight end with their exchange.
  const entries = new Map<string, Entry>();

  const runFirst = async (name: string, entry: Entry, arrival: Arrival, reply: Reply, revoked: AbortSignal): Promise<void> => {
    const capture = capturing(reply);
    try {
      await exchanges.run(arrival, capture.reply, revoked);
    } finally {
      const answer = capture.answer();
      if (answer !== null) {
        entry.stored = { answer, untilMs: clock.now() + KEPT_MS };
        for (const waiter of entry.waiting.splice(0)) waiter(answer);
        trim(entries, clock.now());
      } else {
        const next = entry.waiting.shift();
        if (next) next(null);
        else entries.delete(name);
      }
    }
  };

  return {
    run: async (arrival, reply, revoked) => {
      const key = arrival.operation === 'generate' && !arrival.streamed ? arrival.headers['idempotency-key'] : undefined;
      if (key === undefined || key === '') return exchanges.run(arrival, reply, revoked);
      trim(entries, clock.now());
      const name = JSON.stringify([arrival.keyName, arrival.path, key]);
      const bodyHash = arrival.fingerprint();
      const entry = entries.get(name);
      if (entry === undefined) {
        const first: Entry = { bodyHash, stored: null, waiting: [] };
        entries.set(name, first);
        return runFirst(name, first, arrival, reply, revoked);
      }
      if (entry.bodyHash !== bodyHash) return conflict({ journal, clock }, arrival, reply);
      const answer = entry.stored?.answer ?? await turn(entry, reply);
      if (answer === 'left') return finish({ journal, clock }, arrival, { status: 499, bytes: 0, clientGone: true }, 'cancelled', 'client.left');
      if (answer !== null) return replay({ journal, clock }, arrival, reply, answer);
      return runFirst(name, entry, arrival, reply, revoked);
    },
  };
}

function turn(entry: Entry, reply: Reply): Promise<StoredAnswer | null | 'left'> {
  return new Promise((resolve) => {
    const leave = () => {
      const place = entry.waiting.indexOf(waiter);
      if (place >= 0) entry.waiting.splice(place, 1);
      resolve('left');
    };
    const waiter = (answer: StoredAnswer | null) => {
      reply.gone.removeEventListener('abort', leave);
      resolve(answer);
    };
    entry.waiting.push(waiter);
    if (reply.gone.aborted) leave();
    else reply.gone.addEventListener('abort', leave, { once: true });
  });
}

/** A reply that remembers a complete 2xx answer of at most 8 MiB. */
function capturing(reply: Reply): { readonly reply: Reply; answer(): StoredAnswer | null } {
  let answer: StoredAnswer | null = null;
  return {
    answer: () => answer,
    reply: {
      gone: reply.gone,
      refuse: (refusal, notes) => reply.refuse(refusal, notes),
      send: async (opened, notes) => {
        const pieces: Uint8Array[] = [];
        let bytes = 0;
        const tee = (sink: Sink): Sink => ({
          write: (piece, mark) => {
            bytes += piece.length;
            if (bytes <= ANSWER_BYTES) pieces.push(piece.slice());
            else pieces.length = 0;
            return sink.write(piece, mark);
          },
          whenDrained: (resume) => { sink.whenDrained(resume); },
        });
        const ending = await reply.send({ ...opened, relay: (sink) => opened.relay(tee(sink)) }, notes);
        const whole = ending.relayed.end === 'complete' && opened.status >= 200 && opened.status < 300 && bytes <= ANSWER_BYTES;
        if (whole) answer = { status: opened.status, headers: opened.headers, body: joined(pieces, bytes) };
        return ending;
      },
    },
  };
}

interface RecordParts { readonly journal: Journal; readonly clock: Clock }

async function replay(parts: RecordParts, arrival: Arrival, reply: Reply, answer: StoredAnswer): Promise<void> {
  const headers: Opened['headers'] = [...answer.headers.filter(([name]) => name !== 'x-holdfast-replayed'), ['x-holdfast-replayed', 'true']];
  const opened = answerAtHand(answer.status, headers, answer.body, parts.clock.now());
  const ending = await reply.send(opened, notesOf(arrival));
  finish(parts, arrival, ending, ending.clientGone ? 'cancelled' : 'success', null, true);
}

async function conflict(parts: RecordParts, arrival: Arrival, reply: Reply): Promise<void> {
  const message = 'This Idempotency-Key was used within the last 10 minutes with another body.';
  const ending = await reply.refuse({ kind: 'own', status: 409, code: 'idempotency.conflict', message, retryAfterSecs: null }, notesOf(arrival));
  finish(parts, arrival, ending, 'refused', 'idempotency.conflict');
}

function finish({ journal, clock }: RecordParts, arrival: Arrival, ending: Ending, outcome: Outcome, errorCode: string | null, replayed = false): void {
  const record = createRecord(arrival);
  journal.note({ kind: 'started', id: arrival.id, row: record.row(null, arrival.atMs) });
  const row = record.row({ outcome, status: ending.clientGone ? 499 : ending.status, errorCode, errorMessage: null, giveUp: null, answerBytes: ending.bytes, leftDuring: null }, clock.now());
  journal.note({ kind: 'finished', id: arrival.id, row: replayed ? { ...row, detail: { ...row.detail, replayed } } : row });
}

function notesOf(arrival: Arrival): ReplyNotes {
  return { requestId: arrival.id, upstreamName: null, retries: 0, stopClientRetries: false };
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

// Oldest first: a Map keeps the order in which keys came.
function trim(entries: Map<string, Entry>, nowMs: number): void {
  const stored = [...entries].filter(([, entry]) => entry.stored !== null);
  let bytes = stored.reduce((sum, [, entry]) => sum + (entry.stored?.answer.body.length ?? 0), 0);
  let count = entries.size;
  for (const [name, entry] of stored) {
    const expired = (entry.stored?.untilMs ?? 0) <= nowMs;
    if (!expired && count <= KEPT_ENTRIES && bytes <= KEPT_BYTES) continue;
    entries.delete(name);
    bytes -= entry.stored?.answer.body.length ?? 0;
    count--;
  }
}
