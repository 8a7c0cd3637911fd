import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder, root } from './paths.mjs';
import { say } from './run.mjs';

const TOUCH_MS = 5_000;
const DEAD_AFTER_MS = 60_000;
const LOOK_MS = 200;

/** @param {string} owner `pid@host` */
function isAlive(owner, /** @type {number} */ touchedMs) {
  if (Date.now() - touchedMs > DEAD_AFTER_MS) return false;
  const [pid, host] = owner.split('@');
  if (host !== hostname()) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Takes the lock file or not. A link appears whole or not at all, so no one ever reads a lock without its owner in it.
 * @param {string} path
 * @param {string} me
 */
function take(path, me) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, me);
  try {
    linkSync(draft, path);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Takes away a lock whose owner is gone. The name is moved first: of several who see it dead only one can move it.
 * @param {string} path
 */
function clearIfDead(path) {
  try {
    const owner = readFileSync(path, 'utf8');
    if (isAlive(owner, statSync(path).mtimeMs)) return;
    const aside = `${path}.dead.${process.pid}`;
    renameSync(path, aside);
    // Someone may have taken the lock anew between the look and the move; then it goes back.
    if (readFileSync(aside, 'utf8') !== owner) linkSync(aside, path);
    rmSync(aside, { force: true });
  } catch {
    // The lock has gone by itself, or another process is clearing it: the next look tells.
  }
}

/**
 * Does some work while no other process of this user does work of the same name; waits for it as long as it lives.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const folder = join(cacheFolder, 'locks');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.lock`);
  const me = `${process.pid}@${hostname()}`;
  for (let looks = 0; !take(path, me); looks += 1) {
    clearIfDead(path);
    if (looks === 5) say('waiting for another set-up of this project to end ...');
    await sleep(LOOK_MS);
  }
  const touch = setInterval(() => utimesSync(path, new Date(), new Date()), TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    rmSync(path, { force: true });
  }
}

/** The name of a lock for work on this checkout of the project alone. @param {string} work */
export const inThisProject = (work) => `${work}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
