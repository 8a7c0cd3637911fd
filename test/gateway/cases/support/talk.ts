import { FORMAT_NAMES } from '../../../../shared/format.ts';
import type { FormatName } from '../../../../shared/format.ts';
import { wordsOf } from '../../../support/answers/index.ts';
import type { Script } from '../../../support/scripted-upstream.ts';
import type { startWholeGateway } from '../../../support/whole-gateway.ts';

export type WholeGateway = Awaited<ReturnType<typeof startWholeGateway>>;

/** Every format, streamed and whole. */
export const TALKS = FORMAT_NAMES.flatMap((format) => [{ format, streamed: true, how: 'streamed' }, { format, streamed: false, how: 'whole' }]);

const PATHS: Readonly<Record<FormatName, readonly [whole: string, stream: string]>> = {
  anthropic: ['/v1/messages', '/v1/messages'],
  chat: ['/v1/chat/completions', '/v1/chat/completions'],
  responses: ['/v1/responses', '/v1/responses'],
  gemini: ['/v1beta/models/m-1:generateContent', '/v1beta/models/m-1:streamGenerateContent?alt=sse'],
};

/** The path of a generation for the model `m-1`. */
export const pathOf = (format: FormatName, streamed: boolean): string => PATHS[format][streamed ? 1 : 0];

/** Asks for an answer of the model `m-1`. */
export function ask(gateway: WholeGateway, format: FormatName, streamed: boolean, more: Parameters<WholeGateway['post']>[2] = {}): Promise<Response> {
  return gateway.post(pathOf(format, streamed), format === 'gemini' ? { contents: [] } : { model: 'm-1', stream: streamed, input: 'hi' }, more);
}

/** A good stream with this text, as the upstream writes it. */
export const goodStream = (format: FormatName, text: string): string => [...wordsOf[format].opening('m-1'), ...wordsOf[format].answer('m-1', text)].join('');

/** The opening of a stream, then its first piece of text, and nothing after it. */
export const begunStream = (format: FormatName): string => [...wordsOf[format].opening('m-1'), wordsOf[format].answer('m-1', 'Hello there')[0]].join('');

const EVENTS = { 'content-type': 'text/event-stream' };

/** A stream of these bytes that ends as said. */
export const streams = (bytes: string | Uint8Array, end: 'well' | 'fin' | 'reset' = 'well'): Script => async (call) => {
  await call.head(200, EVENTS);
  if (bytes.length > 0) await call.write(bytes);
  if (end === 'well') await call.end();
  else if (end === 'fin') call.fin();
  else call.reset();
};

/** A whole answer with this status and JSON (or text as it is). */
export const says = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script =>
  (call) => call.answer(status, { 'content-type': 'application/json', ...headers }, typeof body === 'string' ? body : JSON.stringify(body));

/** Lets every pause that begins from now on end at its time, at once. */
export function skipPauses(gateway: WholeGateway): void {
  gateway.gateway.onEvent((event) => { if (event.kind === 'pausing') void gateway.clock.advance(event.retry_at - event.started + 1); });
}

interface ReadEvent { readonly name: string; readonly data: string }

/** Events as a strict client reads them: one without its empty line is none. */
export function eventsOf(text: string): readonly ReadEvent[] {
  return text.split(/\r?\n\r?\n/).slice(0, -1).flatMap((block) => {
    const fields = block.split(/\r?\n/).map((line) => /^([^:]*):? ?(.*)$/.exec(line));
    const of = (name: string) => fields.filter((field) => field?.[1] === name).map((field) => field?.[2] ?? '');
    return of('data').length === 0 ? [] : [{ name: of('event').at(-1) ?? '', data: of('data').join('\n') }];
  });
}

/** The error that a client of this format finds in an event: its type, or null when it is no error. Throws when its data is no JSON. */
export function errorIn(format: FormatName, event: ReadEvent): string | null {
  if (event.data === '[DONE]') return null;
  const data = JSON.parse(event.data) as { type?: string; response?: { error?: { code?: string } }; error?: { type?: string; code?: number | string; status?: string } };
  switch (format) {
    case 'anthropic': return event.name === 'error' && data.type === 'error' ? String(data.error?.type) : null;
    case 'chat': return data.error ? String(data.error.type) : null;
    case 'responses': return data.type === 'response.failed' ? String(data.response?.error?.code) : null;
    case 'gemini': return data.error && typeof data.error.code === 'number' ? String(data.error.status) : null;
  }
}

/** The type of the error in a whole error answer of this format. */
export function errorOfBody(format: FormatName, body: unknown): string | undefined {
  const { error } = body as { error?: { type?: string; status?: string; message?: string } };
  if (typeof error?.message !== 'string') return undefined;
  return format === 'gemini' ? error.status : error.type;
}

/** The breaker's state of an upstream in the metrics: 0 closed, 1 half-open, 2 open. Wants `gateway.metrics` on. */
export async function breakerOf(gateway: WholeGateway, name = 'A'): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`, { headers: { authorization: 'Bearer hf-test' } })).text();
  return Number(new RegExp(`gateway_breaker_state\\{provider="${name}"\\} (\\d)`).exec(text)?.[1]);
}
