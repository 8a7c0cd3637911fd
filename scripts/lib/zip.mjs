import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, open, symlink } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

const END_MARK = 0x06054b50;
const END_SIZE = 22;
const ENTRY_MARK = 0x02014b50;
const LOCAL_HEADER_SIZE = 30;
const SYMLINK = 0o120000;
const FILE_TYPE = 0o170000;

/** @typedef {{ name: string, method: number, packed: number, at: number, mode: number }} Entry */

/**
 * Reads `size` bytes at `at`; fails when the file ends before.
 * @param {import('node:fs/promises').FileHandle} file
 * @param {number} at
 * @param {number} size
 */
async function readAt(file, at, size) {
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await file.read(bytes, 0, size, at);
  if (bytesRead !== size) throw new Error('the zip file ends too early');
  return bytes;
}

/**
 * The table of contents of a zip file (without the 64-bit extension).
 * @param {import('node:fs/promises').FileHandle} file
 * @returns {Promise<Entry[]>}
 */
async function contents(file) {
  const { size } = await file.stat();
  const tailSize = Math.min(size, END_SIZE + 0xffff);
  const tail = await readAt(file, size - tailSize, tailSize);
  let end = tail.length - END_SIZE;
  while (end >= 0 && tail.readUInt32LE(end) !== END_MARK) end -= 1;
  if (end < 0) throw new Error('this is no zip file');
  const table = await readAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  /** @type {Entry[]} */
  const entries = [];
  for (let at = 0; at < table.length; ) {
    if (table.readUInt32LE(at) !== ENTRY_MARK) throw new Error('the table of the zip file is broken');
    const nameSize = table.readUInt16LE(at + 28);
    entries.push({
      name: table.toString('utf8', at + 46, at + 46 + nameSize),
      method: table.readUInt16LE(at + 10),
      packed: table.readUInt32LE(at + 20),
      at: table.readUInt32LE(at + 42),
      mode: table.readUInt16LE(at + 40),
    });
    at += 46 + nameSize + table.readUInt16LE(at + 30) + table.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * Unpacks one entry to `target`, with its mode; symbolic links stay links.
 * @param {string} zip
 * @param {import('node:fs/promises').FileHandle} file
 * @param {Entry} entry
 * @param {string} target
 */
async function unpackEntry(zip, file, entry, target) {
  await mkdir(dirname(target), { recursive: true });
  const head = await readAt(file, entry.at, LOCAL_HEADER_SIZE);
  const start = entry.at + LOCAL_HEADER_SIZE + head.readUInt16LE(26) + head.readUInt16LE(28);
  if ((entry.mode & FILE_TYPE) === SYMLINK) {
    await symlink((await readAt(file, start, entry.packed)).toString(), target);
    return;
  }
  if (entry.packed === 0) {
    await pipeline([], createWriteStream(target));
    return;
  }
  const packed = createReadStream(zip, { start, end: start + entry.packed - 1 });
  await (entry.method === 0 ? pipeline(packed, createWriteStream(target)) : pipeline(packed, createInflateRaw(), createWriteStream(target)));
  await chmod(target, entry.mode & 0o777);
}

/**
 * Unpacks the files that `place` gives a path for, below `folder`; a path that would leave the folder is refused.
 * @param {string} zip
 * @param {string} folder
 * @param {(name: string) => string | null} place
 */
export async function unzip(zip, folder, place) {
  const file = await open(zip);
  try {
    for (const entry of await contents(file)) {
      const path = entry.name.endsWith('/') ? null : place(entry.name);
      if (path === null) continue;
      const target = normalize(join(folder, path));
      if (!target.startsWith(normalize(folder) + sep)) throw new Error(`the zip file names a path outside: ${entry.name}`);
      await unpackEntry(zip, file, entry, target);
    }
  } finally {
    await file.close();
  }
}
