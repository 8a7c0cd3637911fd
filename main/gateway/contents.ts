import { MOST_KEPT_BYTES } from '../../shared/contents.ts';
import type { ExchangeEvent } from '../../shared/events.ts';
import type { Outcome } from '../../shared/failure.ts';
import type { Settings } from '../../shared/settings.ts';
import { createByteBuffer } from './core/byte-buffer.ts';
import type { AnswerSight, Arrival, ContentsJournal, SeenBody, SeenContents, Sights } from './ports.ts';

/** Watches exchanges, and hands what is to be kept of them to the log when they have finished (SPEC 12.4). */
export interface ContentsWatch extends Sights {
  /** Takes the event that ends an exchange; its row has gone to the log before. */
  finished(event: Extract<ExchangeEvent, { kind: 'finished' }>): void;
}

interface Watched {
  readonly arrival: Arrival;
  readonly rawHeaders: readonly string[];
  readonly answer: AnswerSight & { readonly body: BodyBeginning | null };
}

/** `bodies` is asked once per exchange, at its arrival. */
export function watchContents(journal: ContentsJournal, bodies: () => Settings['logs.bodies']): ContentsWatch {
  // By exchange; each entry goes with its end.
  const running = new Map<string, Watched>();
  return {
    begin: (arrival, rawHeaders) => {
      const answer = { head: null, body: bodies() === 'off' ? null : bodyBeginning() };
      running.set(arrival.id, { arrival, rawHeaders, answer });
      return answer;
    },
    end: (id) => { running.delete(id); },
    finished: ({ id, row }) => {
      const watched = running.get(id);
      if (watched === undefined) return;
      running.delete(id);
      const contents = contentsOf(watched, bodies(), row.outcome);
      const { request, answer, requestHeaders, answerHeaders } = contents;
      journal.keep(id, contents, requestHeaders.length + (answerHeaders?.length ?? 0) + (request?.kept.byteLength ?? 0) + (answer?.kept.byteLength ?? 0));
    },
  };
}

function contentsOf({ arrival, rawHeaders, answer }: Watched, bodies: Settings['logs.bodies'], outcome: Outcome | null): SeenContents {
  // Both at its beginning and at its end: bodies that were turned off meanwhile are not kept any more.
  const keeps = answer.body !== null && (bodies === 'all' || (bodies === 'errors' && outcome !== 'success'));
  return {
    method: arrival.method,
    requestHeaders: lines(rawHeaders),
    answerHeaders: answer.head === null ? null : lines(answer.head),
    request: keeps ? beginningOf(arrival.body(null)) : null,
    answer: keeps ? answer.body.seen() : null,
  };
}

function lines(headers: readonly string[]): string {
  return headers.length === 0 ? '' : `${headers.join('\n')}\n`;
}

function beginningOf(pieces: readonly Uint8Array[]): SeenBody | null {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first.byteLength === 0 ? null : { bytes: first.byteLength, kept: new Uint8Array(first.subarray(0, MOST_KEPT_BYTES)) };
  const beginning = bodyBeginning();
  for (const piece of pieces) beginning.append(piece);
  return beginning.seen();
}

interface BodyBeginning {
  append(bytes: Uint8Array): void;
  /** Null when nothing came. Call once. */
  seen(): SeenBody | null;
}

// Copies: what goes out belongs to others, and a small piece would hold the large buffer that it was cut from.
function bodyBeginning(): BodyBeginning {
  const kept = createByteBuffer();
  let bytes = 0;
  return {
    append: (more) => {
      const room = MOST_KEPT_BYTES - kept.length;
      bytes += more.byteLength;
      if (room > 0) kept.append(more.byteLength > room ? more.subarray(0, room) : more);
    },
    seen: () => (bytes === 0 ? null : { bytes, kept: new Uint8Array(kept.take()) }),
  };
}
