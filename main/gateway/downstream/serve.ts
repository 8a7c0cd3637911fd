import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FormatName } from '../../../shared/format.ts';
import { clientFacts } from './client.ts';
import type { DoorParts } from './door.ts';
import { admit } from './door.ts';
import { answerOwn } from './own-answers.ts';
import { recognise } from './paths.ts';
import { parseTarget, loggedPath } from './request-target.ts';
import { startExchange } from './start-exchange.ts';
import { uuidV7 } from './uuid.ts';
import { refuseVisit } from './visit.ts';
import type { Visit } from './visit.ts';

/** Format of errors where the path names none (SPEC 1.3). */
export function formatByHeaders(headers: IncomingHttpHeaders, queryKeys: readonly string[]): FormatName {
  if (headers['x-api-key'] !== undefined || headers['anthropic-version'] !== undefined) return 'anthropic';
  return headers['x-goog-api-key'] !== undefined || queryKeys.length > 0 ? 'gemini' : 'chat';
}

/** Takes one HTTP request from its head to the end of its answer (DESIGN 4, steps 1, 2 and 9). Never rejects. */
export async function serve(parts: DoorParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = parseTarget(request.url ?? '/');
  const known = recognise(target?.path ?? '*', target?.query ?? '');
  const { meaning } = known;
  const atUtcMs = parts.clock.utc();
  const visit: Visit = {
    request,
    response,
    clock: parts.clock,
    id: uuidV7(atUtcMs, parts.random),
    atMs: parts.clock.now(),
    atUtcMs,
    format: meaning.kind === 'exchange' ? meaning.format
      : meaning.kind === 'models' && meaning.shape === 'gemini' ? 'gemini' : formatByHeaders(request.headers, target?.queryKeys ?? []),
    framing: meaning.kind === 'exchange' && meaning.streamed === true ? meaning.framing : null,
    path: target === null ? '*' : loggedPath(target.path, target.query),
    headers: [],
    refused: (refusal) => {
      const { id, format, path } = visit;
      parts.refused?.({ ...refusal, id, atUtcMs, format, path, client: clientFacts(request.headers).name });
    },
  };
  parts.visiting(request.socket, visit);
  try {
    const admitted = await admit(parts, visit, target, known);
    if (admitted === null) return;
    if (meaning.kind === 'exchange') await startExchange(parts, visit, meaning, admitted);
    else await answerOwn(parts, visit, meaning);
  } catch (bug) {
    parts.log.error('request failed inside the gateway', { id: visit.id, error: bug instanceof Error ? bug.stack : String(bug) });
    if (response.headersSent) response.destroy();
    else await refuseVisit(visit, { status: 500, code: 'gateway.internal', message: 'The gateway failed on this request; its log says why.' });
  }
}
