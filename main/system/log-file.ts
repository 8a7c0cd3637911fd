import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE_BYTES = 1024 * 1024;
const FILES = 5;
// Lines that come before it is known whether this process is the one that writes.
const EARLY_LINES = 100;

/** The operational log in files of the data folder: five of 1 MiB at most, the newest `holdfast.log`. */
export interface LogFile {
  readonly folder: string;
  /** Takes one line with its end. Never throws: a disk that is full takes no line, and that is all. */
  write(line: string): void;
  /** Begins to write into the files; what came before follows. */
  begin(): void;
  /** What takes secrets out of each line from now on. */
  maskWith(mask: (line: string) => string): void;
  /** The newest lines, oldest first, without their ends. */
  recent(most: number): readonly string[];
  /** Takes all files away and begins anew. */
  clear(): void;
}

/** Opens nothing before `begin`. */
export function createLogFile(folder: string): LogFile {
  const nameOf = (n: number): string => join(folder, n === 0 ? 'holdfast.log' : `holdfast.${n}.log`);
  let early: string[] | null = [];
  let file: number | null = null;
  let bytes = 0;
  let mask = (line: string): string => line;

  const open = (): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    file = openSync(nameOf(0), 'a', 0o600);
    bytes = fstatSync(file).size;
  };
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const turn = (): void => {
    close();
    for (let n = FILES - 2; n >= 0; n--) if (existsSync(nameOf(n))) renameSync(nameOf(n), nameOf(n + 1));
  };
  const put = (line: string): void => {
    try {
      const data = Buffer.from(mask(line));
      if (file === null) open();
      if (bytes > 0 && bytes + data.byteLength > FILE_BYTES) {
        turn();
        open();
      }
      if (file !== null) bytes += writeSync(file, data);
    } catch {
      // The next line tries again.
      close();
    }
  };
  const linesOf = (n: number): readonly string[] => {
    try {
      return readFileSync(nameOf(n), 'utf8').split('\n').filter((line) => line !== '');
    } catch {
      return [];
    }
  };

  return {
    folder,
    write: (line) => {
      if (early === null) put(line);
      else if (early.length < EARLY_LINES) early.push(line);
    },
    begin: () => {
      const waiting = early ?? [];
      early = null;
      for (const line of waiting) put(line);
    },
    maskWith: (next) => { mask = next; },
    recent: (most) => {
      const newest = linesOf(0);
      return (newest.length >= most ? newest : [...linesOf(1), ...newest]).slice(-most);
    },
    clear: () => {
      close();
      for (let n = 0; n < FILES; n++) rmSync(nameOf(n), { force: true });
    },
  };
}
