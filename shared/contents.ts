/** The most that is kept of one body (SPEC 12.4), bytes. */
export const MOST_KEPT_BYTES = 256 * 1_024;

/** A body as the log keeps it. */
export interface KeptBody {
  /** Length of the whole, decoded. */
  readonly bytes: number;
  /** Its beginning with secrets masked, at most 256 KiB; null when it is not text. */
  readonly text: string | null;
  /** The body was longer than what is kept. */
  readonly cut: boolean;
}

/** What the log keeps of an exchange besides its row (SPEC 12.4); every secret is masked. */
export interface KeptContents {
  readonly method: string;
  /** In the order in which they came. */
  readonly requestHeaders: readonly (readonly [string, string])[];
  /** As the client got them; null when it got none. */
  readonly answerHeaders: readonly (readonly [string, string])[] | null;
  /** Null when it was not kept, or is kept no more. */
  readonly request: KeptBody | null;
  /** What the client got, keep-alives left out; null when it was not kept, or is kept no more. */
  readonly answer: KeptBody | null;
}

/** What `logs.clear` takes away: `bodies` leaves rows and headers; `all` leaves the figures. */
export const CLEARABLE = ['bodies', 'all'] as const;
export type Clearable = (typeof CLEARABLE)[number];
