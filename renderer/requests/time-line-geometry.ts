import type { PauseReason } from '../../shared/failure.ts';
import type { AttemptRow, ExchangeRow } from '../../shared/log.ts';
import type { LiveExchange } from '../live/in-flight.ts';
import { lastPauseMs } from './last-pause.ts';

/** What a piece of a bar stands for; drawn by colour and by pattern or shape. */
export type SegmentKind = 'queue' | 'held' | 'failed' | 'answer' | 'cancelled' | 'running' | 'pause' | 'missing';

/** A stretch of time inside the lane of an attempt, in ms from the arrival. */
export interface Segment { readonly kind: SegmentKind; readonly fromMs: number; readonly toMs: number }

/** One attempt with the pause that came after it. */
export interface Lane {
  readonly n: number;
  readonly upstream: string;
  /** Attempts from `n` on that are drawn as one stretch; 0 for an attempt. */
  readonly missing: number;
  /** Null while the attempt is being made, and for such a stretch. */
  readonly attempt: AttemptRow | null;
  readonly pause: { readonly ms: number; /** Null: not kept, since no attempt came after it. */ readonly reason: PauseReason | null; readonly ended: boolean } | null;
  readonly segments: readonly Segment[];
}

const MOST_LANES = 16;

/** The row with only the first and the last attempts of very many, as many as can be taken in at a glance. */
export function foldAttempts(row: ExchangeRow): ExchangeRow {
  const { attempts } = row.detail;
  if (attempts.length <= MOST_LANES) return row;
  const ordered = [...attempts].sort((a, b) => a.n - b.n);
  return { ...row, detail: { ...row.detail, attempts: [...ordered.slice(0, MOST_LANES / 2), ...ordered.slice(-MOST_LANES / 2)] } };
}

/** The lanes of an exchange in order; a running one is drawn up to `nowMs` (ms since 1970). */
export function lanesOf(row: ExchangeRow, live: LiveExchange | undefined, nowMs: number): readonly Lane[] {
  const attempts = [...row.detail.attempts].sort((a, b) => a.n - b.n);
  const elapsed = Math.max(0, nowMs - row.started_at);
  const lanes = attempts.flatMap((attempt, index) => {
    const next = attempts[index + 1];
    if (next !== undefined && next.n > attempt.n + 1) return [laneOf(attempt, undefined), gapOf(attempt, next)];
    return [laneOf(attempt, next ?? startOf(live, row))];
  });
  if (live?.running) {
    const fromMs = Math.max(0, live.running.at - row.started_at);
    lanes.push({ n: live.running.n, upstream: live.running.upstream, missing: 0, attempt: null, pause: null, segments: [{ kind: 'running', fromMs, toMs: Math.max(fromMs, elapsed) }] });
  }
  const last = lanes.at(-1);
  if (live?.pause && last) {
    const fromMs = Math.max(0, live.pause.started - row.started_at);
    const toMs = Math.max(fromMs, live.pause.retry_at - row.started_at);
    lanes[lanes.length - 1] = { ...last, pause: { ms: toMs - fromMs, reason: live.pause.reason, ended: false }, segments: [...last.segments, { kind: 'pause', fromMs, toMs }] };
  }
  const leftMs = live === undefined ? lastPauseMs(row) : 0;
  const end = attempts.at(-1);
  if (leftMs > 0 && last && end) {
    const fromMs = end.started_ms + end.duration_ms;
    lanes[lanes.length - 1] = { ...last, pause: { ms: leftMs, reason: null, ended: true }, segments: [...last.segments, { kind: 'pause', fromMs, toMs: fromMs + leftMs }] };
  }
  return lanes;
}

type Next = Pick<AttemptRow, 'started_ms' | 'pause_ms' | 'pause_reason' | 'queued_ms'>;

// The attempt that runs now knows its pause as well: its lane needs the same end as that of a finished one.
function startOf(live: LiveExchange | undefined, row: ExchangeRow): Next | undefined {
  if (!live?.running || !live.pauseBefore) return undefined;
  const started = live.running.at - row.started_at;
  return { started_ms: started, pause_ms: started - (live.pauseBefore.started - row.started_at), pause_reason: live.pauseBefore.reason, queued_ms: 0 };
}

function laneOf(attempt: AttemptRow, next: Next | undefined): Lane {
  const end = attempt.started_ms + attempt.duration_ms;
  const segments: Segment[] = [];
  if (attempt.queued_ms > 0) segments.push({ kind: 'queue', fromMs: Math.max(0, attempt.started_ms - attempt.queued_ms), toMs: attempt.started_ms });
  segments.push(...attemptSegments(attempt, end));
  if (next?.pause_ms === null || next?.pause_ms === undefined) return { n: attempt.n, upstream: attempt.upstream, missing: 0, attempt, pause: null, segments };
  const fromMs = Math.max(end, next.started_ms - next.queued_ms - next.pause_ms);
  segments.push({ kind: 'pause', fromMs, toMs: Math.max(fromMs, next.started_ms - next.queued_ms) });
  return { n: attempt.n, upstream: attempt.upstream, missing: 0, attempt, pause: { ms: next.pause_ms, reason: next.pause_reason ?? 'backoff', ended: true }, segments };
}

// Of many attempts those in the middle are not drawn, and of thousands they are not even kept: their time is one stretch.
function gapOf(attempt: AttemptRow, next: AttemptRow): Lane {
  const fromMs = attempt.started_ms + attempt.duration_ms;
  return { n: attempt.n + 1, upstream: '', missing: next.n - attempt.n - 1, attempt: null, pause: null, segments: [{ kind: 'missing', fromMs, toMs: Math.max(fromMs, next.started_ms - next.queued_ms) }] };
}

function attemptSegments(attempt: AttemptRow, end: number): Segment[] {
  const start = attempt.started_ms;
  const content = attempt.first_content_ms === null ? null : Math.min(end, start + attempt.first_content_ms);
  switch (attempt.outcome) {
    case 'answered': return content === null ? [{ kind: 'answer', fromMs: start, toMs: end }] : [{ kind: 'held', fromMs: start, toMs: content }, { kind: 'answer', fromMs: content, toMs: end }];
    case 'truncated': return [{ kind: 'held', fromMs: start, toMs: content ?? start }, { kind: 'answer', fromMs: content ?? start, toMs: end }, { kind: 'failed', fromMs: end, toMs: end }];
    case 'cancelled': return content === null ? [{ kind: 'cancelled', fromMs: start, toMs: end }] : [{ kind: 'held', fromMs: start, toMs: content }, { kind: 'answer', fromMs: content, toMs: end }, { kind: 'cancelled', fromMs: end, toMs: end }];
    // What failed in the opening was held until then: the failure is its last moment.
    case 'failed': return attempt.where === 'opening' ? [{ kind: 'held', fromMs: start, toMs: end }, { kind: 'failed', fromMs: end, toMs: end }] : [{ kind: 'failed', fromMs: start, toMs: end }];
  }
}

/** A rectangle of the drawing, in pixels. */
export interface Box { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Where everything of a time line is drawn. */
export interface TimeLineLayout {
  readonly height: number;
  readonly lanes: readonly { readonly lane: Lane; readonly label: Box; readonly bars: readonly (Box & { readonly kind: SegmentKind })[] }[];
  readonly axisY: number;
  readonly ticks: readonly { readonly ms: number; readonly x: number }[];
}

const LABEL_HEIGHT = 16;
const BAR_HEIGHT = 10;
const LANE_HEIGHT = 36;
const LEAST_BAR = 3;

/** Lays lanes out in `width` pixels (at least 80): every label has a line of its own above its bars, so nothing can cover anything. */
export function layOut(lanes: readonly Lane[], width: number): TimeLineLayout {
  const endMs = Math.max(1, ...lanes.flatMap((lane) => lane.segments.map((segment) => segment.toMs)));
  const scale = width / endMs;
  const placed = lanes.map((lane, index) => {
    const top = index * LANE_HEIGHT;
    return {
      lane,
      label: { x: 0, y: top, width, height: LABEL_HEIGHT },
      bars: spans(lane.segments, scale, width).map((span, at) => ({ ...span, y: top + LABEL_HEIGHT + 3, height: BAR_HEIGHT, kind: (lane.segments[at] as Segment).kind })),
    };
  });
  const axisY = lanes.length * LANE_HEIGHT + 2;
  return { height: axisY + 20, lanes: placed, axisY, ticks: ticksOf(endMs, width).map((ms) => ({ ms, x: ms * scale })) };
}

// Short pieces get a least width to be seen; what follows moves right, and the whole chain left again where it would leave the drawing.
function spans(segments: readonly Segment[], scale: number, width: number): { x: number; width: number }[] {
  let cursor = 0;
  const chain = segments.map((segment) => {
    const x = Math.max(cursor, segment.fromMs * scale);
    const end = Math.max(x + LEAST_BAR, segment.toMs * scale);
    cursor = end;
    return { x, end };
  });
  let limit = width;
  for (const span of [...chain].reverse()) {
    span.end = Math.min(span.end, limit);
    span.x = Math.min(span.x, span.end - LEAST_BAR);
    limit = span.x;
  }
  return chain.map((span) => ({ x: span.x, width: span.end - span.x }));
}

/** Round times for an axis of `endMs`, far enough apart for their labels. */
export function ticksOf(endMs: number, width: number): readonly number[] {
  const most = Math.max(2, Math.floor(width / 72));
  const rough = endMs / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_, index) => index * step);
}
