import { PAGE_NAMES, SETTINGS_SECTIONS, type LinkTarget } from '../../shared/link.ts';

/** Scheme of the links that other programs may open this app with; electron-builder.yml registers it. */
export const LINK_SCHEME = 'holdfast';
const START = `${LINK_SCHEME}:`;
// The longest link there is names a request; whatever is longer is not read at all.
const LONGEST = 100;
const SHAPE = /^holdfast:\/\/([a-z]+)(?:\/([a-z0-9-]+))?\/?$/;
const REQUEST_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads a link of another program: `holdfast://requests/<id>`, `holdfast://settings/<section>`, or a page alone. Null for everything else. Nothing is
 * decoded, no query and no fragment is taken, and what comes out is one of our own names or the id of a request.
 */
export function readLink(text: unknown): LinkTarget | null {
  if (typeof text !== 'string' || text.length > LONGEST) return null;
  const [, name, detail] = SHAPE.exec(text) ?? [];
  const page = PAGE_NAMES.find((one) => one === name);
  if (page === undefined) return null;
  if (page === 'requests') return detail === undefined ? { page, id: null } : REQUEST_ID.test(detail) ? { page, id: detail } : null;
  if (page === 'settings') {
    const section = SETTINGS_SECTIONS.find((one) => one.replaceAll('_', '-') === detail);
    return detail === undefined ? { page, section: null } : section === undefined ? null : { page, section };
  }
  return detail === undefined ? { page } : null;
}

/** The link among the arguments of a start, unread: the system hands over one, so where there are several none is taken. */
export function linkAmong(argv: readonly string[]): string | null {
  const links = argv.filter((argument) => argument.slice(0, START.length).toLowerCase() === START);
  return links.length === 1 ? links[0] ?? null : null;
}

// Chromium hands the whole command line of a second start to the first one, in a message of at most 32 KiB on Linux; a longer one has been seen to crash
// the first. With the folder it stands in (4 KiB at most) this one always fits.
const LONGEST_COMMAND_LINE_BYTES = 16_384;

/** Whether a start with these arguments may be handed over to a running app: a link, which a web page may have made, must not be able to end it. */
export function mayHandOver(argv: readonly string[]): boolean {
  return argv.reduce((bytes, argument) => bytes + Buffer.byteLength(argument) + 1, 0) <= LONGEST_COMMAND_LINE_BYTES;
}

/** Takes links in whenever they come, and keeps the last good one until somebody follows them. */
export interface LinkInbox {
  /** Takes in what may be a link; false when it is none, and then nothing follows from it. */
  arrive(text: unknown): boolean;
  /** From now on every link goes to the listener, the one that waits at once. */
  follow(listener: (target: LinkTarget) => void): void;
}

/** An empty inbox. */
export function createLinkInbox(): LinkInbox {
  let waiting: LinkTarget | null = null;
  let follower: ((target: LinkTarget) => void) | null = null;
  return {
    arrive(text) {
      const target = readLink(text);
      if (target === null) return false;
      if (follower === null) waiting = target;
      else follower(target);
      return true;
    },
    follow(listener) {
      follower = listener;
      if (waiting !== null) listener(waiting);
      waiting = null;
    },
  };
}
