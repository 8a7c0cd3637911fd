import { readFileSync } from 'node:fs';
import type { FormatName } from '../../shared/format.ts';
import type { FailureClass } from '../../shared/failure.ts';
import type { Framing } from '../../main/gateway/core/wire-format.ts';

/** One recorded body and what has to be read from it. */
export interface WireFixture {
  readonly file: string;
  readonly format: FormatName;
  readonly framing: Framing;
  readonly kind: 'stream' | 'body';
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  readonly expect: {
    readonly openingBytes: number;
    readonly firstContentAtByte: number | null;
    readonly terminal: 'ok' | 'error' | 'truncated';
    readonly errorClass: string | null;
    readonly errorCode: string | null;
    readonly usage: { readonly input: number; readonly output: number; readonly cached: number } | null;
    readonly finishReason: string | null;
    readonly model: string | null;
    readonly retryHintMs: number | null;
  };
}

const FORMATS: Readonly<Record<string, FormatName>> = { anthropic: 'anthropic', 'openai-chat': 'chat', 'openai-responses': 'responses', gemini: 'gemini' };
const folder = new URL('../fixtures/wire/', import.meta.url);

/** Every fixture of the index, with its bytes. */
export const WIRE_FIXTURES: readonly WireFixture[] = (JSON.parse(readFileSync(new URL('INDEX.json', folder), 'utf8')) as (Omit<WireFixture, 'format' | 'framing' | 'bytes' | 'headers'> & { format: string; headers?: Record<string, string> })[])
  .map((entry) => ({
    ...entry,
    format: FORMATS[entry.format]!,
    framing: entry.file.startsWith('gemini.array.') ? 'json_array' : 'sse',
    headers: entry.headers ?? {},
    bytes: new Uint8Array(readFileSync(new URL(entry.file, folder))),
  }));

/** The class of the index in the words of SPEC 4, and where SPEC decides otherwise. */
export function classOf(fixture: WireFixture): FailureClass | null {
  const { errorClass, errorCode } = fixture.expect;
  const inStream = fixture.httpStatus < 300;
  // SPEC 4.1 lists these two as policy, for streams.
  if (inStream && (errorCode === 'invalid_encrypted_content' || errorCode === 'invalid_image')) return 'policy';
  switch (errorClass) {
    case null: return null;
    case 'request_error': return 'request';
    case 'not_found': return 'model_missing';
    case 'policy': return inStream ? 'policy' : 'request';
    // SPEC 4.1: every 4xx that has no class of its own is a fault of the request.
    case 'other': return fixture.httpStatus >= 400 && fixture.httpStatus < 500 ? 'request' : 'server';
    default: return errorClass as FailureClass;
  }
}
