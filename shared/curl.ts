import type { KeptContents } from './contents.ts';
import type { FormatName } from './format.ts';
import type { ExchangeRow } from './log.ts';
import { isSecretHeader } from './mask.ts';

/** What stands where the key was: the shell puts the user's own there. */
export const KEY_PLACEHOLDER = '$HOLDFAST_KEY';

// What stands in a kept header where a secret was: of no use to anybody.
const MASKED = '[masked]';

const KEY_HEADERS: Readonly<Record<FormatName, string>> = { anthropic: 'x-api-key', gemini: 'x-goog-api-key', chat: 'authorization', responses: 'authorization' };
// curl makes these itself, or they belong to the connection that was.
const OWN_HEADERS = new Set(['host', 'content-length', 'connection', 'keep-alive', 'transfer-encoding', 'accept-encoding', 'content-encoding', 'expect', 'te', 'trailer', 'upgrade', 'proxy-connection']);

/**
 * A command line for POSIX shells that sends the request of a row to the gateway at `url` again, with `$HOLDFAST_KEY` for the key. Its
 * body stands there only when it was kept whole.
 */
export function curlOf(row: Pick<ExchangeRow, 'path' | 'format' | 'streamed'>, contents: KeptContents | null, url: string): string {
  const method = contents?.method ?? 'POST';
  const body = contents?.request ?? null;
  const whole = body !== null && body.text !== null && !body.cut ? body.text : null;
  const kept = (contents?.requestHeaders ?? [['content-type', 'application/json']]).filter(([name, value]) => !OWN_HEADERS.has(name.toLowerCase()) && !isSecretHeader(name) && !value.includes(MASKED));
  const keyHeader = KEY_HEADERS[row.format];
  const address = url + withoutKey(row.path);
  const parts = [
    // Without -g curl takes brackets for a list of addresses, and sends the request to each.
    `curl${row.streamed ? ' -N' : ''}${/[[\]{}]/.test(address) ? ' -g' : ''} ${quoted(address)}`,
    ...(method === (whole === null ? 'GET' : 'POST') ? [] : [`-X ${quoted(method)}`]),
    `-H "${keyHeader}: ${keyHeader === 'authorization' ? 'Bearer ' : ''}${KEY_PLACEHOLDER}"`,
    ...kept.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(whole === null ? [] : [`--data-raw ${quoted(whole)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** A word that a POSIX shell takes as it stands. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function withoutKey(path: string): string {
  const [before = '', ...query] = path.split('?');
  const kept = query.join('?').split('&').filter((part) => part !== '' && !/^key=/.test(part));
  return kept.length === 0 ? before : `${before}?${kept.join('&')}`;
}
