import { eventsOf } from './body-lines.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What an answer said to its reader, put together from a stream or a whole answer of any format; empty when there is nothing of the kind. */
export function wordsOf(body: string): string {
  const start = body.trimStart();
  if (/^[{[]/.test(start)) {
    const whole = parsed(start);
    // Gemini without `alt=sse` streams as an array of chunks.
    return Array.isArray(whole) ? objects(whole).map(pieceOf).join('') : isObject(whole) ? wholeOf(whole) : '';
  }
  return eventsOf(body).map(({ data }) => { const event = parsed(data); return isObject(event) ? pieceOf(event) : ''; }).join('');
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function pieceOf(event: Json): string {
  if (typeof event['type'] === 'string' && event['type'].startsWith('response.')) return event['type'] === 'response.output_text.delta' ? text(event['delta']) : '';
  if (event['type'] === 'content_block_delta') return isObject(event['delta']) ? text(event['delta']['text']) : '';
  return objects(event['choices']).map((choice) => (isObject(choice['delta']) ? text(choice['delta']['content']) : '')).join('') + candidates(event);
}

function wholeOf(answer: Json): string {
  const parts = [
    ...objects(answer['content']).map((block) => text(block['text'])),
    ...objects(answer['choices']).map((choice) => (isObject(choice['message']) ? text(choice['message']['content']) : '')),
    ...objects(answer['output']).flatMap((item) => objects(item['content']).map((part) => text(part['text']))),
    candidates(answer),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function candidates(chunk: Json): string {
  return objects(chunk['candidates']).flatMap((one) => (isObject(one['content']) ? objects(one['content']['parts']) : [])).filter((part) => part['thought'] !== true).map((part) => text(part['text'])).join('');
}
