import { maskSecrets } from '../../../shared/mask.ts';

/** What the request line asks for, taken apart once. */
export interface RequestTarget {
  /** Of `http://host/...` in the request line; then it counts instead of the Host header. */
  readonly authority: string | null;
  /** Gateway key from `/k/<key>/...`, decoded (SPEC 1.4). */
  readonly pathKey: string | null;
  /** Without the key prefix and without trailing slashes, still encoded; `/` at least. */
  readonly path: string;
  /** Raw query without `?` and without parameters named `key`. */
  readonly query: string;
  /** Values of parameters named exactly `key`, decoded, none empty. */
  readonly queryKeys: readonly string[];
}

/** Takes a request target apart; null when it is none (`*`, a bad escape in the key). */
export function parseTarget(url: string): RequestTarget | null {
  let rest = url;
  let authority: string | null = null;
  const absolute = /^http:\/\/([^/?#]*)/i.exec(url);
  if (absolute !== null) {
    authority = absolute[1] ?? '';
    rest = url.slice(absolute[0].length);
    if (!rest.startsWith('/')) rest = `/${rest}`;
  }
  if (!rest.startsWith('/')) return null;
  const mark = rest.indexOf('?');
  const parameters = splitQuery(mark < 0 ? '' : rest.slice(mark + 1));
  let path = mark < 0 ? rest : rest.slice(0, mark);
  let pathKey: string | null = null;
  const prefix = /^\/k\/([^/]+)(?=\/|$)/.exec(path);
  if (prefix !== null) {
    pathKey = decoded(prefix[1] ?? '');
    if (pathKey === null) return null;
    path = path.slice(prefix[0].length);
  }
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === 0x2f) end--;
  return { authority, pathKey, path: path.slice(0, end) || '/', ...parameters };
}

/** The value of the first parameter of that name, decoded; null when there is none. */
export function queryValue(query: string, name: string): string | null {
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    if ((equals < 0 ? part : part.slice(0, equals)) === name) return equals < 0 ? '' : decoded(part.slice(equals + 1));
  }
  return null;
}

const SECRET_NAME = /key|token|secret|passw|auth|sig/i;
const LOGGED_CHARACTERS = 2_048;

/** Path and query as the log may show them: what looks like a credential, by its name or its shape, is left out; at most 2,048 characters. */
export function loggedPath(path: string, query: string): string {
  // A base URL with the key in a wrong place is an easy slip.
  const shownPath = withoutKeys(path.slice(0, LOGGED_CHARACTERS));
  if (query === '') return shownPath;
  const shown = query.split('&').map((part) => {
    const name = part.split('=', 1)[0] ?? '';
    return part.length > name.length && SECRET_NAME.test(decoded(name) ?? name) ? `${name}=***` : withoutKeys(part.slice(0, LOGGED_CHARACTERS));
  });
  return `${shownPath}?${shown.join('&')}`.slice(0, LOGGED_CHARACTERS);
}

// No key is that short; the paths of most requests are, and need no search.
const SHORTEST_KEY_CHARACTERS = 20;

// Clients ask for few paths, again and again. The oldest one goes when there are more.
const MOST_KNOWN_PATHS = 100;
const knownPaths = new Map<string, string>();

function withoutKeys(text: string): string {
  if (text.length < SHORTEST_KEY_CHARACTERS) return text;
  const known = knownPaths.get(text);
  if (known !== undefined) return known;
  const shown = maskSecrets(text);
  if (knownPaths.size >= MOST_KNOWN_PATHS) for (const oldest of knownPaths.keys()) { knownPaths.delete(oldest); break; }
  knownPaths.set(text, shown);
  return shown;
}

/** Undoes percent-encoding; null when an escape is broken. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function splitQuery(query: string): { query: string; queryKeys: string[] } {
  if (query === '') return { query, queryKeys: [] };
  const kept: string[] = [];
  const queryKeys: string[] = [];
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    if (decoded(equals < 0 ? part : part.slice(0, equals)) !== 'key') {
      kept.push(part);
      continue;
    }
    const value = equals < 0 ? '' : decoded(part.slice(equals + 1)) ?? part.slice(equals + 1);
    if (value !== '') queryKeys.push(value);
  }
  return { query: kept.join('&'), queryKeys };
}
