import type { FailurePhase } from '../../../shared/failure.ts';
import { maskSecrets } from '../../../shared/mask.ts';
import { ruleText, type RuleBook } from '../core/rules.ts';
import type { WireFormat } from '../core/wire-format.ts';
import type { AttemptOrder, AttemptReport, Clock, KeptAnswer, Opened, Unopened } from '../ports.ts';
import type { AnswerHead, AnswerReader, AttemptContext } from './attempt-context.ts';
import { startAttemptTimers } from './attempt-timers.ts';
import { decodeBody, isEncoded, type BodyEvents, type Flow } from './decoding.ts';
import { createFailedReader } from './failed-answer.ts';
import { ownFailure, toldFailure, type FailureFacts } from './failures.ts';
import { openFlowingBody } from './flowing-body.ts';
import { createStreamReader } from './held-stream.ts';
import { decodeErrorBody } from './mislabelled-body.ts';
import { first, headersForClient, type RawResponseHeaders } from './response-headers.ts';
import { createWholeReader } from './whole-answer.ts';
import { startWire, type Pools, type Wire, type WireRequest } from './wire.ts';

/** A request that is ready to go out. */
export interface PreparedAttempt {
  readonly request: WireRequest;
  readonly pools: Pools;
  readonly format: WireFormat;
  readonly ruleBook: RuleBook;
  /** Masked wherever an upstream repeats them. */
  readonly secrets: readonly string[];
}

/** Runs one attempt from sending to its opening (SPEC 3-6). Resolves once; what is opened ends in its `relay`. While it runs `running` holds the way to end it as wanted no more. Leaves nothing behind on any path. */
export function runAttempt(clock: Clock, order: AttemptOrder, prepared: PreparedAttempt, running: Set<() => void>): Promise<Opened | Unopened> {
  return new Promise((resolve) => {
    const startedMs = clock.now();
    let reader: AnswerReader | null = null;
    let stage: FailurePhase = 'connect';
    let settled = false;
    let over = false;
    let bytes = 0;
    // Replaced as soon as there is a request; nothing asks before.
    let wire: Wire | null = null;
    let bodyFlow: Flow = { pause: () => wire?.pause(), resume: () => wire?.resume(), drop: () => wire?.abort() };
    const wireFlow = bodyFlow;

    const facts = (where: FailurePhase): FailureFacts => ({ order, where, sentWhole: wire?.sentWhole() ?? false, secrets: prepared.secrets });
    const where = (): FailurePhase => (stage === 'connect' && wire?.connected() === true ? 'head' : stage);
    const report = (): AttemptReport => ({ startedMs, endedMs: clock.now(), sentWhole: wire?.sentWhole() ?? false, resent: wire?.resent() ?? false, bytes });
    const finish = (): void => {
      if (over) return;
      over = true;
      timers.clear();
      running.delete(leave);
      order.gone.removeEventListener('abort', leave);
      order.letGo.removeEventListener('abort', letGo);
    };
    const context: AttemptContext = {
      order, clock, format: prepared.format,
      get timers() { return timers; },
      flow: { pause: () => { bodyFlow.pause(); }, resume: () => { bodyFlow.resume(); }, drop: () => { bodyFlow.drop(); } },
      report,
      headersForClient: (head, sameBody) => headersForClient(head.headers, { decoded: head.encoding !== null, sameBody }),
      ownFailure: (code, phase, detail, status) => ownFailure(facts(phase), code, detail ?? null, status ?? null),
      toldFailure: (error, phase, body) => context.ruled(toldFailure(facts(phase), error), body),
      ruled: (failure, body) => {
        if (order.rules.length === 0) return failure;
        const ruled = prepared.ruleBook.classify(order.rules, { upstreamId: order.upstream.id, status: failure.status ?? 0, body: ruleText(body) });
        return ruled === null ? failure : { ...failure, class: ruled };
      },
      masked: (text) => maskSecrets(text, prepared.secrets),
      open: (opened) => {
        settled = true;
        resolve(opened);
      },
      fail: (failure, kept: KeptAnswer | null) => {
        if (settled) return;
        settled = true;
        const ended = report();
        context.flow.drop();
        finish();
        resolve({ kind: 'unopened', failure, kept, report: ended });
      },
      finish,
      become: (next, held) => {
        reader = next;
        for (const chunk of held) next.data(chunk);
      },
    };
    const leave = (): void => {
      reader?.gone();
      if (!settled) context.fail(context.ownFailure('cancelled', where()), null);
    };
    const letGo = (): void => { reader?.letGo(); };
    const timers = startAttemptTimers(clock, order, order.arrival.streamed, (code) => {
      if (reader !== null) reader.expired(code);
      else context.fail(context.ownFailure(code, where()), null);
    });
    running.add(leave);
    order.gone.addEventListener('abort', leave);
    order.letGo.addEventListener('abort', letGo);

    let input: BodyEvents | null = null;
    const toReader: BodyEvents = {
      data: (chunk) => reader?.data(chunk),
      end: () => reader?.end(),
      fail: (fault) => reader?.fail(fault),
    };
    wire = startWire(prepared.pools, prepared.request, {
      head: (status, headers) => {
        stage = 'body';
        const head: AnswerHead = { status, headers, encoding: encodingOf(headers) };
        if (head.encoding !== null) {
          const decoded = status < 300 ? decodeBody(head.encoding, toReader, wireFlow) : decodeErrorBody(head.encoding, toReader, wireFlow);
          input = decoded.into;
          bodyFlow = decoded.flow;
        } else input = toReader;
        reader = readerOf(context, head);
      },
      data: (chunk) => {
        bytes += chunk.byteLength;
        input?.data(chunk);
      },
      end: () => input?.end(),
      fail: (fault, phase) => {
        if (input !== null && phase === 'body') input.fail(fault);
        else context.fail(context.ownFailure(fault.code, phase, fault.detail), null);
      },
    });
  });
}

/** Which reader takes the body, judged by the status and by what was asked for (SPEC 4.1, 4.9, 5.7, 1.2). */
function readerOf(context: AttemptContext, head: AnswerHead): AnswerReader {
  const { arrival } = context.order;
  if (head.status >= 400) return createFailedReader(context, head, null);
  if (head.status >= 300) return createFailedReader(context, head, 'answer.redirect');
  if (arrival.operation === 'forward') return openFlowingBody(context, head, [], true);
  return arrival.operation === 'generate' && arrival.streamed ? createStreamReader(context, head) : createWholeReader(context, head);
}

function encodingOf(headers: RawResponseHeaders): string | null {
  const encoding = first(headers['content-encoding']);
  return isEncoded(encoding) ? encoding : null;
}
