import { execFile } from 'node:child_process';
import type { RunProgram } from './tray-host.ts';

const LONGEST_RUN_MS = 2_000;

/** Runs a program of the system without a shell. */
export const runProgram: RunProgram = (program, args) => new Promise((resolve, reject) => {
  execFile(program, [...args], { timeout: LONGEST_RUN_MS, windowsHide: true }, (error, stdout) => {
    if (error === null) resolve(stdout);
    else reject(new Error(`${program} failed`, { cause: error }));
  });
});
