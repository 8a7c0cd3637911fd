// A small world for pictures: one server that plays three providers, overloaded at times, and tools that ask through the gateway.
import { createServer } from 'node:http';
import { once } from 'node:events';

/** @typedef {'anthropic' | 'responses' | 'gemini'} SceneFormat */

/**
 * One answer: `fail` is a status, with `hintMs` as its Retry-After; `good` streams `words` words, `open` keeps the stream open.
 * @typedef {{ fail: number, hintMs?: number } | { good: number, afterMs: number, input: number, open?: boolean }} Step
 */

const WORDS = 'The retry decision is a pure function from facts to a tagged answer so it can be tested without a clock '.split(' ');

/** @param {string | null} event @param {unknown} data */
const sse = (event, data) => `${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/**
 * The pieces of a streamed answer in a provider's format.
 * @param {SceneFormat} format
 * @param {string} model
 * @param {{ good: number, input: number }} step
 * @returns {{ opening: string[], content: string[], end: string[] }}
 */
function streamOf(format, model, { good, input }) {
  const words = Array.from({ length: good }, (_, n) => `${WORDS[n % WORDS.length]} `);
  if (format === 'anthropic') {
    return {
      opening: [
        sse('message_start', { type: 'message_start', message: { id: 'msg_01', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: input, output_tokens: 1, cache_read_input_tokens: Math.round(input * 0.8) } } }),
        sse('content_block_start', { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ],
      content: words.map((text) => sse('content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      end: [
        sse('content_block_stop', { type: 'content_block_stop', index: 0 }),
        sse('message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: good * 2 } }),
        sse('message_stop', { type: 'message_stop' }),
      ],
    };
  }
  if (format === 'gemini') {
    return {
      opening: [],
      content: words.map((text) => sse(null, { candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }], modelVersion: model })),
      end: [sse(null, { candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }], usageMetadata: { promptTokenCount: input, candidatesTokenCount: good * 2, totalTokenCount: input + good * 2 }, modelVersion: model })],
    };
  }
  const response = { id: 'resp_01', object: 'response', created_at: 1, model, status: 'in_progress', output: [] };
  const item = { id: 'item_01', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  let sequence = 0;
  const event = (/** @type {string} */ type, /** @type {object} */ more) => sse(type, { type, sequence_number: sequence++, ...more });
  return {
    opening: [event('response.created', { response }), event('response.output_item.added', { output_index: 0, item })],
    content: words.map((delta) => event('response.output_text.delta', { item_id: 'item_01', output_index: 0, content_index: 0, delta })),
    end: [event('response.completed', { response: { ...response, status: 'completed', output: [{ ...item, status: 'completed', content: [{ type: 'output_text', text: words.join(''), annotations: [] }] }], usage: { input_tokens: input, output_tokens: good * 2, total_tokens: input + good * 2 } } })],
  };
}

const FAILURES = {
  anthropic: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  responses: { error: { message: 'The server is currently overloaded. Please try again later.', type: 'server_error', code: 'server_is_overloaded' } },
  gemini: { error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' } },
};

/**
 * Starts the providers. A request says by its session which steps it goes through, one for each attempt; the last step stays.
 * @param {Map<string, Step[]>} plans by session id; `play` fills it
 */
export async function startProviders(plans) {
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    const format = /** @type {SceneFormat} */ (request.url?.split('/')[1]);
    const steps = plans.get(/scene-\d+/.exec(body)?.[0] ?? '') ?? [];
    const step = steps.length > 1 ? steps.shift() : steps[0];
    if (step === undefined) return void response.writeHead(404).end('{}');
    if ('fail' in step) {
      const hint = step.hintMs === undefined ? {} : { 'retry-after-ms': String(step.hintMs) };
      response.writeHead(step.fail, { 'content-type': 'application/json', ...hint }).end(JSON.stringify(FAILURES[format]));
      return;
    }
    const model = /"model":"([^"]+)"/.exec(body)?.[1] ?? 'gemini-3.5-pro';
    const { opening, content, end } = streamOf(format, model, step);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of opening) response.write(event);
    setTimeout(() => {
      for (const event of content) response.write(event);
      if (step.open !== true) response.end(end.join(''));
    }, step.afterMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The tools that ask: path, headers and body of each. */
export const TOOLS = {
  claude: { format: 'anthropic', path: '/v1/messages', model: 'claude-opus-5-5', agent: 'claude-cli/2.1.328 (external, cli)' },
  codex: { format: 'responses', path: '/v1/responses', model: 'gpt-5.5-codex', agent: 'codex_cli_rs/0.169.0 (Debian 12; x86_64)' },
  gemini: { format: 'gemini', path: '/v1beta/models/gemini-3.5-pro:streamGenerateContent?alt=sse', model: 'gemini-3.5-pro', agent: 'GeminiCLI/0.61.0/gemini-3.5-pro (linux; x64)' },
};

let sessions = 0;

/**
 * One tool asks once through the gateway; resolves when its answer has ended.
 * @param {{ url: string, key: string, plans: Map<string, Step[]>, signal: AbortSignal }} scene
 * @param {keyof typeof TOOLS} tool
 * @param {Step[]} steps
 */
export async function play({ url, key, plans, signal }, tool, steps) {
  const { path, model, agent, format } = TOOLS[tool];
  const session = `scene-${++sessions}`;
  plans.set(session, steps);
  const text = `${session}: please look at the failing test and explain it.`;
  const body = format === 'gemini' ? { contents: [{ role: 'user', parts: [{ text }] }] } : format === 'responses' ? { model, stream: true, input: text } : { model, stream: true, max_tokens: 4_096, messages: [{ role: 'user', content: text }] };
  const response = await fetch(url + path, { method: 'POST', signal, headers: { 'content-type': 'application/json', 'authorization': `Bearer ${key}`, 'user-agent': agent }, body: JSON.stringify(body) });
  await response.text();
}
