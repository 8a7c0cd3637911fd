import type { DocumentFault, FaultCode, ValueKind } from '../../shared/document.ts';
import { issueSentence, type SettingIssue } from '../../shared/settings.ts';

type Values = Readonly<Record<string, string | number>>;

/** A fault with its English sentence. */
export function faultOf(path: string, code: Exclude<FaultCode, 'setting'>, values: Values = {}): DocumentFault {
  return { path, code, values, message: SENTENCES[code](values) };
}

/** A fault of a setting. */
export function settingFault(path: string, issue: SettingIssue): DocumentFault {
  return { path, code: 'setting', values: {}, issue, message: issueSentence(issue) };
}

/** `upstreams[0].base_url`. Names that a document made up are shortened, and nothing in them can steer a terminal. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}${text === '' ? '' : '.'}${shownName(String(step))}`), '');
}

/** A name out of a document as it may be shown: at most 80 characters, control characters spelled out. */
export function shownName(name: string): string {
  const short = name.length > 80 ? `${name.slice(0, 77)}...` : name;
  return short.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const KINDS: Readonly<Record<ValueKind, string>> = { text: 'a text', number: 'a number', whole: 'a whole number', boolean: 'true or false', list: 'a list', object: 'an object', null: 'null' };

const kindWords = ({ kind }: Values): string => KINDS[kind as ValueKind];
const counted = (count: string | number | undefined, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

const SENTENCES: Readonly<Record<Exclude<FaultCode, 'setting'>, (values: Values) => string>> = {
  not_json: ({ line, column }) => `the document is not valid JSON${line === undefined || line === 0 ? '' : ` at line ${line}, column ${column}`}`,
  file_unreadable: ({ reason }) => `the file cannot be read: ${reason}`,
  file_too_large: ({ mib }) => `the file is larger than ${mib} MiB`,
  too_deep: ({ most }) => `is nested deeper than ${most} levels`,
  too_many_values: ({ most }) => `holds more than ${most} values`,
  too_many_together: ({ max }) => `would be more than ${max} together with those that are there`,
  more: ({ count }) => `and ${count} more`,
  unknown_field: () => 'is not a known field',
  missing: (values) => `is missing: must be ${kindWords(values)}`,
  wrong_type: (values) => `must be ${kindWords(values)}`,
  not_allowed: ({ allowed }) => (String(allowed).includes(', ') ? `must be one of ${allowed}` : `must be ${allowed}`),
  text_short: ({ min }) => `must be at least ${counted(min, 'character', 'characters')} long`,
  text_long: ({ max }) => `must be at most ${counted(max, 'character', 'characters')} long`,
  list_short: ({ min }) => `must be a list of at least ${counted(min, 'entry', 'entries')}`,
  list_long: ({ max }) => `must be a list of at most ${counted(max, 'entry', 'entries')}`,
  number_small: ({ min }) => `must be at least ${min}`,
  number_large: ({ max }) => `must be at most ${max}`,
  bad_id: () => 'must begin with a letter or a digit and have only letters, digits, dots, dashes and underscores, at most 64',
  bad_name: () => 'must be a single line without control characters',
  bad_key: () => 'must be hf- followed by letters, digits, dashes and underscores, at most 200',
  bad_env_name: () => 'must be the name of an environment variable: letters, digits and underscores, not beginning with a digit',
  bad_header_name: () => 'is not a name a header can have',
  bad_header_value: () => 'must be a single line of what a header can carry: no control characters, no letters beyond Latin-1',
  bad_form: () => 'has a form that is not known',
  no_upstream: ({ id }) => `names no upstream: there is none with the id ${JSON.stringify(id)}`,
  same_as: ({ place }) => `is the same as that of ${place}`,
  gone: () => 'is not there any more',
  bad_base_url: ({ reason }) => BASE_URLS[String(reason)] ?? 'is not an address that can be used',
  own_address: () => 'is the address of this gateway: requests would go round in circles',
  demo: () => 'is the built-in demo: it cannot be added',
  bad_proxy: () => 'must be system, none, or an address that begins with http://, https:// or socks5://',
  own_header: () => 'cannot be set: the gateway sets it',
  secrets_unreadable: () => 'does not hold what an export encrypts',
  password: () => 'are encrypted with another password than that in HOLDFAST_IMPORT_PASSWORD',
  secrets_elsewhere: () => 'is not the address that the encrypted secrets were saved for',
};

const BASE_URLS: Readonly<Record<string, string>> = {
  not_a_url: 'is not an address that can be read',
  scheme: 'has to begin with http:// or https://',
  credentials: 'must not hold a user name or password; they belong into the credential or a header',
  query: 'must not have a query or a fragment',
};
