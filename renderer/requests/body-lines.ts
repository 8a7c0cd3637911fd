/** How a kept body reads: JSON and event streams set in lines with indents, everything else as it stands. */
export interface BodyLines {
  readonly kind: 'json' | 'events' | 'text';
  readonly lines: readonly string[];
}

// Longer lines go on in the next one, marked: one line of megabytes would stop the window.
const MOST_CHARACTERS = 240;
const GOES_ON = '↪ ';
const DEEPEST = 24;

/** Sets a body in lines; it may be cut off anywhere. */
export function bodyLines(text: string): BodyLines {
  const start = text.trimStart();
  if (/^[{[]/.test(start)) return { kind: 'json', lines: folded(jsonLines(start)) };
  if (/^(?:event|data|id|retry)?:/.test(start)) return { kind: 'events', lines: folded(eventLines(start)) };
  return { kind: 'text', lines: rawLines(text) };
}

/** The body as it came, only cut into lines that can be drawn. */
export function rawLines(text: string): readonly string[] {
  return folded(text.split(/\r\n|\n|\r/));
}

function folded(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    if (line.length <= MOST_CHARACTERS) return [line];
    const parts: string[] = [];
    for (let at = 0; at < line.length; at += MOST_CHARACTERS) parts.push((at === 0 ? '' : GOES_ON) + line.slice(at, at + MOST_CHARACTERS));
    return parts;
  });
}

/** Sets JSON with indents sign by sign: numbers keep their digits, and what is cut off reads as far as it goes. */
export function jsonLines(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  const breakLine = () => {
    if (line.trim() !== '') lines.push(line);
    line = '  '.repeat(Math.min(depth, DEEPEST));
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"') {
      const end = endOfString(text, at);
      line += text.slice(at, end);
      at = end - 1;
    } else if (sign === '{' || sign === '[') {
      const close = nextSign(text, at + 1);
      line += sign;
      if (text.charAt(close) === (sign === '{' ? '}' : ']')) {
        line += text.charAt(close);
        at = close;
      } else {
        depth += 1;
        breakLine();
      }
    } else if (sign === '}' || sign === ']') {
      depth = Math.max(0, depth - 1);
      breakLine();
      line += sign;
    } else if (sign === ',') {
      line += sign;
      breakLine();
    } else if (sign === ':') line += ': ';
    else if (!/\s/.test(sign)) line += sign;
    else if (sign === '\n' && depth === 0) breakLine();
  }
  breakLine();
  return lines;
}

/** The index after the closing quote of the string that opens at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === 92) at += 1;
    else if (sign === 34) return at + 1;
  }
  return text.length;
}

function nextSign(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** One event of a stream as it was written. */
export interface StreamEvent { readonly name: string | null; readonly data: string }

/** The events of a stream in order; comments are left out. */
export function eventsOf(text: string): readonly StreamEvent[] {
  return text.replaceAll(/\r\n?/g, '\n').split(/\n{2,}/).flatMap((block) => {
    let name: string | null = null;
    const data: string[] = [];
    for (const line of block.split('\n')) {
      const [, field, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
      if (field === 'event') name = value;
      else if (field === 'data') data.push(value);
    }
    return name === null && data.length === 0 ? [] : [{ name, data: data.join('\n') }];
  });
}

function eventLines(text: string): readonly string[] {
  return eventsOf(text).flatMap(({ name, data }) => {
    const body = /^(?:\{|\[\s*[\]{["\d-])/.test(data) ? jsonLines(data).map((line) => `  ${line}`) : data === '' ? [] : [`  ${data}`];
    return [...(name === null ? ['data'] : [name]), ...body];
  });
}
