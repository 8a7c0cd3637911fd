import type { FormatName } from '../../../../shared/format.ts';
import { createJsonCursor } from './json-cursor.ts';
import { valueIn, walkElements, walkMembers } from './json-members.ts';
import { asObject, asText } from './value.ts';

/** Where a format has its instructions and its turns. */
const PLACES: Readonly<Record<FormatName, { readonly instructions: readonly string[]; readonly turns: string }>> = {
  anthropic: { instructions: ['system'], turns: 'messages' },
  chat: { instructions: [], turns: 'messages' },
  responses: { instructions: ['instructions'], turns: 'input' },
  gemini: { instructions: ['systemInstruction', 'system_instruction'], turns: 'contents' },
};

/**
 * What a conversation begins with and keeps: its instructions and the first message of its user, as text; null when the body holds no such message. Marks that clients
 * move along with the conversation (`cache_control`) are not in it, so that every turn of a conversation gives the same text and few others do.
 */
export function conversationStart(format: FormatName, body: Uint8Array): string | null {
  const { instructions, turns } = PLACES[format];
  const start: Start = { told: '', asked: null };
  walkMembers(createJsonCursor(body), (nameSpan, _first, span) => {
    const name = valueIn(body, nameSpan);
    if (name === turns) readTurns(start, body.subarray(span.startByte, span.endByte));
    else if (instructions.some((one) => one === name)) start.told += textOf(valueIn(body, span));
  });
  return start.asked === null ? null : `${start.told}\u0000${start.asked}`;
}

interface Start { told: string; asked: string | null }

/** Reads the turns up to the first one of the user; those behind it are passed over unread. */
function readTurns(start: Start, turns: Uint8Array): void {
  const isList = walkElements(createJsonCursor(turns), (element) => {
    if (start.asked !== null) return;
    const turn = asObject(valueIn(turns, element));
    // Gemini's role may be left out of a single turn.
    if (turn?.['role'] === 'user' || (turn !== null && turn['role'] === undefined && turn['parts'] !== undefined)) start.asked = textOf(turn);
    else if (turn?.['role'] === 'system' || turn?.['role'] === 'developer') start.told += textOf(turn);
  });
  // Responses takes a bare text, too.
  if (!isList) start.asked = asText(valueIn(turns, { startByte: 0, endByte: turns.length }));
}

/** The words of a turn or a part of one, however they are wrapped; of a part without words (an image) all there is. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  const part = asObject(value);
  if (part === null) return '';
  const words = part['text'] ?? part['content'] ?? part['parts'];
  if (words !== undefined) return textOf(words);
  return JSON.stringify(part, (name, member: unknown) => (name === 'cache_control' ? undefined : member));
}
