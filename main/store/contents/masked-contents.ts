import { MOST_KEPT_BYTES } from '../../../shared/contents.ts';
import { isSecretHeader, maskHeader, maskSecrets, type MaskOptions } from '../../../shared/mask.ts';
import type { SeenBody, SeenContents } from '../../gateway/ports.ts';
import { maskSpoken } from './spoken-secrets.ts';
import type { StoredHeaders } from './stored-headers.ts';

/** A body with its secrets masked; `text` null when it is not text. */
export interface MaskedBody { readonly bytes: number; readonly text: string | null; readonly cut: boolean }

export interface MaskedContents { readonly headers: StoredHeaders; readonly request: MaskedBody | null; readonly answer: MaskedBody | null }

/** Takes the secrets out of what was seen of exchanges; `known` are the installation's own. */
export interface ContentsMask { of(seen: SeenContents, known: readonly string[]): MaskedContents }

const MOST_LINES = 2_000;
const SHORTEST_OWN_SECRET = 8;

export function createContentsMask(): ContentsMask {
  // Most header lines are those of the exchange before. Emptied when it is full, and when other secrets are known.
  const seenLines = new Map<string, string>();
  let linesKnow: readonly string[] | null = null;

  const masked = (name: string, value: string, known: readonly string[]): string => {
    const line = `${name}\n${value}`;
    const before = seenLines.get(line);
    if (before !== undefined) return before;
    const after = maskHeader(name, value, known);
    if (seenLines.size >= MOST_LINES) seenLines.clear();
    seenLines.set(line, after);
    return after;
  };

  return {
    of: (seen, known) => {
      if (linesKnow !== known) seenLines.clear();
      linesKnow = known;
      const request = pairs(seen.requestHeaders);
      const answer = seen.answerHeaders === null ? null : pairs(seen.answerHeaders);
      const maskAll = (headers: readonly Pair[]): readonly Pair[] => headers.map(([name, value]) => [name, masked(name, value, known)]);
      const own = seen.request === null && seen.answer === null ? [] : ownSecrets([...request, ...answer ?? []]);
      const secrets = own.length === 0 ? known : [...known, ...own];
      return {
        headers: { method: seen.method, request: maskAll(request), answer: answer === null ? null : maskAll(answer) },
        request: seen.request === null ? null : maskedBody(seen.request, secrets, maskSecrets),
        answer: seen.answer === null ? null : maskedBody(seen.answer, secrets, maskSpoken),
      };
    },
  };
}

type Pair = readonly [string, string];

function pairs(lines: string): readonly Pair[] {
  const parts = lines.split('\n');
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, n): Pair => [parts[2 * n] ?? '', parts[2 * n + 1] ?? '']);
}

// What this exchange itself has told to be secret must not stand in its bodies either: an upstream may quote the key it was sent.
function ownSecrets(headers: readonly Pair[]): readonly string[] {
  const values = headers.filter(([name]) => isSecretHeader(name)).flatMap(([name, value]) => (/cookie/i.test(name)
    ? value.split(/;\s*/).map((part) => part.slice(part.indexOf('=') + 1))
    : [value, value.replace(/^(?:bearer|basic|digest|negotiate)\s+/i, '')]));
  return [...new Set(values)].filter((value) => value.length >= SHORTEST_OWN_SECRET);
}

function maskedBody({ bytes, kept }: SeenBody, secrets: readonly string[], mask: (text: string, known: readonly string[], options: MaskOptions) => string): MaskedBody {
  const cut = bytes > kept.byteLength;
  const text = textOf(kept, cut);
  if (text === null) return { bytes, text, cut };
  const masked = mask(text, secrets, { cut });
  // A mask may be longer than what it covers.
  return { bytes, text: masked.slice(0, MOST_KEPT_BYTES), cut: cut || masked.length > MOST_KEPT_BYTES };
}

/** The text of the bytes; null when they are none: binary frames have zeros in them, and much that is no UTF-8. */
function textOf(kept: Uint8Array, cut: boolean): string | null {
  if (kept.includes(0)) return null;
  // As a stream when it is cut: half a character at the end is left out.
  const text = new TextDecoder().decode(kept, { stream: cut });
  const broken = text.split('\ufffd').length - 1;
  return broken > text.length / 100 ? null : text;
}
