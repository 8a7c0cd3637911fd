import { createSignals } from './signals.ts';

/** The head of a request, byte for byte and taken apart. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** In the order and spelling of the wire. */
  readonly rawHeaders: readonly (readonly [string, string])[];
  /** The value of a header (several joined by `, `), undefined when it did not come. */
  header(name: string): string | undefined;
  /** Request line and headers, with the blank line. */
  readonly headBytes: Buffer;
}

export interface ArrivingBody {
  readonly whole: Promise<Buffer>;
  bytes(): number;
  reaches(bytes: number): Promise<void>;
}

/** Cuts the bytes of one connection into requests; `begun` is called as soon as a head is complete. */
export function createRequestParser(begun: (head: RequestHead, body: ArrivingBody) => void): (chunk: Buffer) => void {
  let waiting: Buffer = Buffer.alloc(0);
  let body: BodyReader | null = null;
  return (chunk) => {
    waiting = waiting.byteLength === 0 ? chunk : Buffer.concat([waiting, chunk]);
    for (;;) {
      if (body === null) {
        const end = waiting.indexOf('\r\n\r\n');
        if (end < 0) return;
        const head = parseHead(waiting.subarray(0, end + 4));
        waiting = waiting.subarray(end + 4);
        body = createBodyReader(head);
        begun(head, body);
      }
      const rest = body.take(waiting);
      waiting = rest.left;
      if (!rest.done) return;
      body = null;
      if (waiting.byteLength === 0) return;
    }
  };
}

function parseHead(headBytes: Buffer): RequestHead {
  const [first = '', ...lines] = headBytes.toString('latin1').trimEnd().split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const rawHeaders = lines.map((line): readonly [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  const header = (name: string): string | undefined => {
    const values = rawHeaders.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
    return values.length === 0 ? undefined : values.join(', ');
  };
  return { method, target, rawHeaders, header, headBytes };
}

interface BodyReader extends ArrivingBody {
  take(bytes: Buffer): { readonly left: Buffer; readonly done: boolean };
}

function createBodyReader(head: RequestHead): BodyReader {
  const signals = createSignals();
  const parts: Buffer[] = [];
  let received = 0;
  let settle: (whole: Buffer) => void = () => undefined;
  const whole = new Promise<Buffer>((resolve) => { settle = resolve; });
  const keep = (part: Buffer): void => {
    parts.push(Buffer.from(part));
    received += part.byteLength;
    signals.changed();
  };
  const finished = (left: Buffer): { left: Buffer; done: boolean } => {
    settle(Buffer.concat(parts));
    return { left, done: true };
  };
  const chunked = head.header('transfer-encoding')?.toLowerCase() === 'chunked';
  const length = Number(head.header('content-length') ?? 0);

  const take = (bytes: Buffer): { left: Buffer; done: boolean } => {
    if (!chunked) {
      const part = bytes.subarray(0, length - received);
      if (part.byteLength > 0) keep(part);
      return received >= length ? finished(bytes.subarray(part.byteLength)) : { left: bytes.subarray(part.byteLength), done: false };
    }
    let rest = bytes;
    for (;;) {
      const line = rest.indexOf('\r\n');
      if (line < 0) return { left: rest, done: false };
      const size = Number.parseInt(rest.toString('latin1', 0, line), 16);
      const next = line + 2 + size + 2;
      if (rest.byteLength < next) return { left: rest, done: false };
      if (size === 0) return finished(rest.subarray(next));
      keep(rest.subarray(line + 2, line + 2 + size));
      rest = rest.subarray(next);
    }
  };
  return { whole, bytes: () => received, reaches: (bytes) => signals.when(() => received >= bytes), take };
}
