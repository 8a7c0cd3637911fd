import { spawn } from 'node:child_process';

/** A failure that is told in one sentence, with what to do about it; no stack is shown. */
export class Fault extends Error {}

/**
 * Tells a step of the set-up, on stderr: stdout belongs to the program that is started afterwards.
 * @param {string} text
 */
export const say = (text) => void process.stderr.write(`holdfast: ${text}\n`);

/**
 * Runs a command to its end and gives its exit code (null: could not be started, killed, or over its time) and its output.
 * With `show` the output goes to stderr as it comes, and `output` stays empty.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, limitMs?: number, show?: boolean }} [options]
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export function run(command, args, { cwd, env = process.env, limitMs = 0, show = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: show ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'], windowsHide: true });
    let output = '';
    const keep = (/** @type {Buffer} */ bytes) => void (output += bytes.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const timer = limitMs > 0 ? setTimeout(() => child.kill('SIGKILL'), limitMs) : undefined;
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ code: null, output: error.message });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

/**
 * Hands the terminal over to a program: its input, output, signals and exit code (128 + n after a signal) are ours.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
export function become(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env });
    const pass = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
    /** @type {NodeJS.Signals[]} */
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    const end = () => signals.forEach((signal) => process.off(signal, pass));
    child.on('error', (error) => {
      end();
      reject(new Fault(`${command} could not be started (${error.message}).`));
    });
    child.on('close', (code, signal) => {
      end();
      resolve(code ?? 128 + (signal === 'SIGINT' ? 2 : signal === 'SIGTERM' ? 15 : 9));
    });
  });
}

/**
 * Runs a script to its end: sets the exit code it returns, and tells a fault in its one sentence with exit code 1.
 * @param {() => Promise<number | void>} main
 */
export async function asScript(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
