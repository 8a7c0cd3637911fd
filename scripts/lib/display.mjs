import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Fault } from './run.mjs';

const START_LIMIT_MS = 15_000;

/**
 * Starts an X server without a screen on a free display number; `stop` ends it.
 * @returns {Promise<{ display: string, stop: () => void }>}
 */
export function startDisplay() {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Fault('no X server without a screen could be started; install Xvfb (on Debian: "apt-get install xvfb").'));
    const timer = setTimeout(() => {
      child.kill();
      fail();
    }, START_LIMIT_MS);
    child.on('error', () => {
      clearTimeout(timer);
      fail();
    });
    child.on('exit', fail);
    // The server writes the number it took, once it listens.
    createInterface({ input: /** @type {import('node:stream').Readable} */ (child.stdio[3]) }).once('line', (number) => {
      clearTimeout(timer);
      resolve({ display: `:${number}`, stop: () => void child.kill() });
    });
  });
}
