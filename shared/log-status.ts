/** How the writing of the log goes (SPEC 12.3). Counts are of this run of the app. */
export interface LogStatus {
  /** Ends of exchanges that are not on disk and never will be. */
  readonly rowsLost: number;
  /** Refused requests beyond 60 a minute: counted instead of written (SPEC 12.4). */
  readonly refusedNotWritten: number;
  /** Headers and bodies that are not on disk and never will be; their rows may be. */
  readonly bodiesLost: number;
  /** The disk does not take rows now; they wait. */
  readonly waiting: boolean;
  /** What the log takes on disk, with all that lies in the same database. */
  readonly sizeBytes: number;
}
