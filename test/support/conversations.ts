import { readSse } from './sse-events.ts';

/** A conversation as a coding client holds it: each request carries the whole history, with the sealed items of the answers as they came. */
export interface Conversation {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The request that asks this next: words of the user, or the output of the tool that was called. */
  ask(next: { readonly user: string } | { readonly output: string }): object;
  /** Takes the events of the answer into the history. */
  heard(events: string): void;
}

type Json = Record<string, unknown> & { type?: string };

/** As Claude Code asks: instructions in blocks, cache marks that move along, thinking given back with its signature. */
export function claudeCode(session: string | null = 'c0ffee00-0000-4000-8000-000000000001'): Conversation {
  const messages: { role: string; content: Json[] }[] = [];
  return {
    path: '/v1/messages?beta=true',
    headers: {
      'user-agent': 'claude-cli/2.1.328 (external, cli)', 'anthropic-version': '2023-06-01', 'anthropic-beta': 'interleaved-thinking-2025-05-14', 'x-app': 'cli',
      ...(session === null ? {} : { 'x-claude-code-session-id': session }),
    },
    ask: (next) => {
      messages.push({ role: 'user', content: ['user' in next ? { type: 'text', text: next.user } : { type: 'tool_result', tool_use_id: 'toolu_1', content: next.output }] });
      const marked = messages.map((message, at) => (at < messages.length - 1 ? message : { ...message, content: message.content.map((block) => ({ ...block, cache_control: { type: 'ephemeral' } })) }));
      return {
        model: 'claude-test-5', max_tokens: 32_000, stream: true, thinking: { type: 'enabled', budget_tokens: 10_000 },
        system: [{ type: 'text', text: 'You are Claude Code.', cache_control: { type: 'ephemeral' } }], messages: marked,
        tools: [{ name: 'sign', description: 'signs', input_schema: { type: 'object', properties: { signature: { type: 'string' } } } }], metadata: { user_id: 'user_1' },
      };
    },
    heard: (events) => {
      const content: Json[] = [];
      for (const event of readSse(events)) {
        const index = Number(event['index']);
        if (event['type'] === 'content_block_start') content[index] = { ...(event['content_block'] as Json) };
        const block = content[index];
        const delta = event['delta'] as Json | undefined;
        if (event['type'] !== 'content_block_delta' || block === undefined) continue;
        if (delta?.type === 'thinking_delta') block['thinking'] = String(block['thinking']) + String(delta['thinking']);
        else if (delta?.type === 'signature_delta') block['signature'] = delta['signature'];
        else if (delta?.type === 'text_delta') block['text'] = String(block['text']) + String(delta['text']);
        else if (delta?.type === 'input_json_delta') block['input'] = JSON.parse(String(delta['partial_json']));
      }
      messages.push({ role: 'assistant', content });
    },
  };
}

/** As Codex asks: nothing is stored with the provider, so encrypted reasoning goes along with each request. */
export function codex(session: string | null = '0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee'): Conversation {
  const input: Json[] = [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'sandboxed' }] }];
  return {
    path: '/v1/responses',
    headers: { 'user-agent': 'codex_cli_rs/0.169.0 (Linux)', originator: 'codex_cli_rs', ...(session === null ? {} : { session_id: session }) },
    ask: (next) => {
      input.push('user' in next ? { type: 'message', role: 'user', content: [{ type: 'input_text', text: next.user }] } : { type: 'function_call_output', call_id: 'call_1', output: next.output });
      return {
        model: 'gpt-test-5', instructions: 'You are Codex.', input: [...input], tools: [], tool_choice: 'auto', parallel_tool_calls: false, reasoning: { effort: 'medium', summary: 'auto' },
        store: false, stream: true, include: ['reasoning.encrypted_content'], ...(session === null ? {} : { prompt_cache_key: session }),
      };
    },
    heard: (events) => {
      // What Codex gives back has no ids.
      for (const event of readSse(events)) if (event['type'] === 'response.output_item.done') input.push({ ...(event['item'] as Json), id: undefined });
    },
  };
}

/** As Gemini CLI asks. It names no session. */
export function geminiCli(): Conversation {
  const contents: { role: string; parts: unknown[] }[] = [];
  return {
    path: '/v1beta/models/gemini-test-4:streamGenerateContent?alt=sse',
    headers: { 'user-agent': 'GeminiCLI/0.61.0' },
    ask: (next) => {
      contents.push({ role: 'user', parts: ['user' in next ? { text: next.user } : { functionResponse: { name: 'ls', response: { output: next.output } } }] });
      return { contents: [...contents], systemInstruction: { role: 'user', parts: [{ text: 'You are Gemini CLI.' }] }, generationConfig: { thinkingConfig: { includeThoughts: true } } };
    },
    heard: (events) => {
      const parts = readSse(events).flatMap((chunk) => (chunk['candidates'] as { content: { parts: Json[] } }[]).flatMap(({ content }) => content.parts));
      contents.push({ role: 'model', parts: parts.filter((part) => part['thought'] !== true && part['text'] !== '') });
    },
  };
}

/** As clients of OpenRouter ask, which give its reasoning details back. */
export function chatClient(): Conversation {
  const messages: Json[] = [{ role: 'system', content: 'You are helpful.' }];
  return {
    path: '/v1/chat/completions',
    headers: { 'user-agent': 'ai-sdk/openrouter' },
    ask: (next) => {
      messages.push('user' in next ? { role: 'user', content: next.user } : { role: 'tool', tool_call_id: 'call_1', content: next.output });
      return { model: 'gpt-test-5', stream: true, messages: [...messages] };
    },
    heard: (events) => {
      const deltas = readSse(events).flatMap((chunk) => (chunk['choices'] as { delta: Json }[]).map(({ delta }) => delta));
      const tools = deltas.flatMap((delta) => (delta['tool_calls'] as Json[] | undefined) ?? []);
      messages.push({
        role: 'assistant', content: deltas.map((delta) => (delta['content'] as string | undefined) ?? '').join(''), reasoning_details: deltas.flatMap((delta) => (delta['reasoning_details'] as Json[] | undefined) ?? []),
        ...(tools.length > 0 ? { tool_calls: tools } : {}),
      });
    },
  };
}
