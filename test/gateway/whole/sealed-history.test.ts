import { describe, expect, it } from 'vitest';
import { createAccount } from '../../support/accounts.ts';
import { failsWith } from '../../support/answers/index.ts';
import { chatClient, claudeCode, codex, geminiCli, type Conversation } from '../../support/conversations.ts';
import { openedStore, temporaryFolder } from '../../support/store-parts.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';

const CLIENTS = [['Claude Code', claudeCode], ['Codex', codex], ['Gemini CLI', geminiCli], ['a chat client', chatClient]] as const;
type Gateway = Awaited<ReturnType<typeof startWholeGateway>>;
type Next = Parameters<Conversation['ask']>[0];

const send = (gateway: Gateway, client: Conversation, next: Next) => gateway.post(client.path, client.ask(next), { headers: client.headers });
/** One turn: asks, and takes a good answer into the history. */
const turn = async (gateway: Gateway, client: Conversation, next: Next) => {
  const response = await send(gateway, client, next);
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  client.heard(text);
  return text;
};
/** How often A, B, ... have been asked. */
const calls = (gateway: Gateway, ...ids: readonly string[]) => ids.map((id) => gateway.upstream(id).calls.length);
/** Two accounts; A is down at first, so that B begins the conversation. Only sealed history can keep it there. */
const onB = async (client: Conversation, options: Parameters<typeof startWholeGateway>[0] = {}) => {
  const gateway = await startWholeGateway({ upstreams: ['a', 'b'], ...options, settings: { 'gateway.affinity': 'off', ...options.settings } });
  const accounts = { a: createAccount('a'), b: createAccount('b') };
  gateway.upstream('a').script(failsWith(503));
  gateway.upstream('a').otherwise(accounts.a.says('from a'));
  gateway.upstream('b').script(accounts.b.calls('ls'));
  gateway.upstream('b').otherwise(accounts.b.says('from b'));
  await turn(gateway, client, { user: 'list the ships' });
  expect(calls(gateway, 'a', 'b')).toEqual([1, 1]);
  return { gateway, accounts };
};

// SPEC 9.5, R39
describe.each(CLIENTS)('%s with sealed reasoning in its history', (_name, client) => {
  it('goes on with the account that sealed it, turn after turn, though another would be asked first', async () => {
    const conversation = client();
    const { gateway, accounts } = await onB(conversation);
    await turn(gateway, conversation, { output: 'three ships' });
    await turn(gateway, conversation, { user: 'and now?' });
    expect(await turn(gateway, conversation, { user: 'once more' })).toContain('from b');
    expect(calls(gateway, 'a', 'b')).toEqual([1, 4]);
    expect(accounts.b.seals).toHaveLength(4);
  });

  it('waits while that account is overloaded and sends nothing to the other', async () => {
    const conversation = client();
    const { gateway, accounts } = await onB(conversation);
    gateway.upstream('b').script(failsWith(503), failsWith(529), accounts.b.says('at last'));
    const answer = turn(gateway, conversation, { output: 'three ships' });
    await gateway.event('pausing');
    await gateway.clock.advance(2_000);
    await gateway.event('pausing', 2);
    await gateway.clock.advance(4_000);
    expect(await answer).toContain('at last');
    expect(calls(gateway, 'a', 'b')).toEqual([1, 4]);
    expect((await gateway.ended(2)).at(-1)).toMatchObject({ outcome: 'success', retries: 2, failovers: 0, upstream: 'B' });
  });

  it('gets that account\'s 503 when time is up, and not the 400 of the other', async () => {
    const conversation = client();
    const { gateway } = await onB(conversation, { settings: { 'gateway.retry_wait_secs': 3 } });
    gateway.upstream('b').otherwise(failsWith(503));
    const answer = send(gateway, conversation, { output: 'three ships' });
    await gateway.event('pausing');
    await gateway.clock.advance(1_500);
    expect((await answer).status).toBe(503);
    expect(calls(gateway, 'a', 'b')).toEqual([1, 3]);
  });

  it('is refused with 409 in its own format when that account is switched off, without any attempt', async () => {
    const conversation = client();
    const { gateway } = await onB(conversation);
    gateway.upstreams.splice(1, 1, { ...gateway.upstreams[1]!, enabled: false });
    const response = await send(gateway, conversation, { output: 'three ships' });
    expect(response.status).toBe(409);
    const { error } = await response.json() as { error: { message: string } };
    expect(error.message).toMatch(/^\[Holdfast\] .*"B", which is switched off/);
    expect(calls(gateway, 'a', 'b')).toEqual([1, 1]);
    expect((await gateway.ended(2)).at(-1)).toMatchObject({ outcome: 'refused', status: 409, attempts: 0, error_code: 'route.sealed_elsewhere' });
  });

  it('is known before the upstream ends its connection: the next request may follow the last event at once', async () => {
    const conversation = client();
    const { gateway, accounts } = await onB(conversation);
    const never = new Promise<void>(() => undefined);
    gateway.upstream('b').script(accounts.b.says('the end', () => never));
    const response = await send(gateway, conversation, { output: 'three ships' });
    conversation.heard(await readUntil(response, /message_stop|response\.completed|finishReason|\[DONE\]/));
    expect(gateway.rows()).toHaveLength(1);
    expect(await turn(gateway, conversation, { user: 'at once' })).toContain('from b');
    expect(calls(gateway, 'a', 'b')).toEqual([1, 3]);
  });

  it('finds its account again after a restart', async () => {
    const conversation = client();
    const dataDir = temporaryFolder();
    const store = await openedStore(dataDir);
    const first = await onB(conversation, { seals: store.seals });
    await first.gateway.gateway.stop({ graceMs: 0 });
    await store.close();

    const again = await openedStore(dataDir);
    const gateway = await startWholeGateway({ upstreams: ['a', 'b'], settings: { 'gateway.affinity': 'off' }, seals: again.seals });
    gateway.upstream('a').otherwise(first.accounts.a.says('from a'));
    gateway.upstream('b').otherwise(first.accounts.b.says('from b'));
    expect(await turn(gateway, conversation, { output: 'three ships' })).toContain('from b');
    expect(calls(gateway, 'a', 'b')).toEqual([0, 1]);
  });
});

async function readUntil(response: Response, last: RegExp): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  while (!last.test(text) || !/\n\r?\n$/.test(text)) {
    const piece = await reader.read();
    if (piece.done) throw new Error('the answer ended');
    text += Buffer.from(piece.value).toString();
  }
  return text;
}

// SPEC 9.5
describe('sealed history in other requests', () => {
  it('a whole answer teaches as a stream does', async () => {
    const gateway = await startWholeGateway({ upstreams: ['a', 'b'], settings: { 'gateway.affinity': 'off' } });
    const accounts = { a: createAccount('a'), b: createAccount('b') };
    gateway.upstream('a').script(failsWith(404), accounts.a.says('from a'));
    gateway.upstream('b').otherwise(accounts.b.says('from b'));
    const messages: unknown[] = [{ role: 'user', content: 'hi' }];
    const first = await gateway.post('/v1/messages', { model: 'm', messages });
    messages.push({ role: 'assistant', content: (await first.json() as { content: unknown }).content }, { role: 'user', content: 'go on' });
    const second = await gateway.post('/v1/messages', { model: 'm', messages });
    expect(second.headers.get('x-holdfast-upstream')).toBe('B');
    expect(calls(gateway, 'a', 'b')).toEqual([1, 2]);
  });

  it('tokens are counted and histories compacted by the account that sealed them', async () => {
    const claude = claudeCode();
    const { gateway } = await onB(claude);
    gateway.upstream('b').otherwise((call) => call.answer(200, { 'content-type': 'application/json' }, '{"input_tokens":9}'));
    const counted = await gateway.post('/v1/messages/count_tokens', claude.ask({ output: 'three ships' }), { headers: claude.headers });
    expect([counted.status, counted.headers.get('x-holdfast-upstream')]).toEqual([200, 'B']);

    const other = codex();
    const { gateway: second } = await onB(other);
    second.upstream('b').otherwise((call) => call.answer(200, { 'content-type': 'application/json' }, '{}'));
    const compacted = await second.post('/v1/responses/compact', other.ask({ output: 'three ships' }), { headers: other.headers });
    expect([compacted.status, compacted.headers.get('x-holdfast-upstream')]).toEqual([200, 'B']);
  });

  it('what comes without a body, or with one that holds no history, goes where it always goes', async () => {
    const { gateway } = await onB(codex());
    gateway.upstream('a').otherwise((call) => call.answer(200, { 'content-type': 'application/json' }, '{}'));
    const headers = { authorization: 'Bearer hf-test' };
    const got = await fetch(`${gateway.url}/v1/responses/resp_1`, { headers });
    const embedded = await gateway.post('/v1/embeddings', { model: 'm', input: ['signature', '"encrypted_content"'] });
    expect([got, embedded].map((response) => [response.status, response.headers.get('x-holdfast-upstream')])).toEqual([[200, 'A'], [200, 'A']]);
  });
});

// SPEC 9.5
describe('a conversation without sealed items', () => {
  it.each([
    ['the session of Claude Code', () => claudeCode()], ['the session of Codex', () => codex()], ['what Claude Code begins with', () => claudeCode(null)],
    ['what Codex begins with', () => codex(null)], ['what Gemini CLI begins with', geminiCli], ['what a chat client begins with', chatClient],
  ])('is known by %s and stays with whoever answered it', async (_by, client) => {
    const conversation = client();
    // The other account can read everything, so nothing but affinity speaks for B: its seals are forgotten.
    const deaf = { any: () => false, upstreamOf: () => null, learn: () => undefined };
    const { gateway } = await onB(conversation, { seals: deaf, settings: { 'gateway.affinity': 'prefer' } });
    await turn(gateway, conversation, { output: 'three ships' });
    await turn(gateway, conversation, { user: 'and now?' });
    expect(calls(gateway, 'a', 'b')).toEqual([1, 3]);
  });
});
