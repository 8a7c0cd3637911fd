import { asArray, asObject, isFilled, type JsonObject } from '../value.ts';

/** Parts whose text is all there is to see of them. */
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['output_text', 'refusal', 'summary_text', 'reasoning_text', 'text']);

/** Whether a user could see something of this content part: a text that is not empty, or a kind we do not know. */
export function isVisiblePart(value: unknown): boolean {
  const part = asObject(value);
  if (part === null) return false;
  return isFilled(part['text']) || isFilled(part['refusal']) || !TEXT_PARTS.has(part['type']);
}

/** Whether a user could see something of this output item: any but an empty message and reasoning without readable text (wire formats 4). */
export function isVisibleItem(value: unknown): boolean {
  const item = asObject(value);
  if (item === null) return false;
  if (item['type'] === 'message') return asArray(item['content']).some(isVisiblePart);
  if (item['type'] === 'reasoning') return asArray(item['summary']).some(isVisiblePart) || asArray(item['content']).some(isVisiblePart);
  return true;
}

/** Members that hold the whole text a `.done` event tells of. */
const DONE_TEXTS = ['text', 'refusal', 'arguments', 'input', 'code'];

/** Whether an event of this type shows something (SPEC 5): unknown ones that end in `.delta`, `.done`, `.added` do, and so does all activity of tools. */
export function isVisibleEvent(type: string, event: JsonObject): boolean {
  if (type === 'response.output_item.added' || type === 'response.output_item.done') return isVisibleItem(event['item']);
  if (type.endsWith('_part.added') || type.endsWith('_part.done')) return isVisiblePart(event['part']);
  if (type.endsWith('.delta')) return event['delta'] !== '';
  if (type.endsWith('.done')) return !DONE_TEXTS.some((name) => event[name] === '');
  return type.endsWith('.added') || /^response\.(?:mcp_|audio\.|\w+_call\.)/.test(type);
}
