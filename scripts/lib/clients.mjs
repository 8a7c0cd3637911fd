import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { cacheFolder } from './paths.mjs';
import { Fault, say } from './run.mjs';

/** The real coding clients that are tested against, at the versions that were measured. */
const CLIENTS = {
  '@anthropic-ai/claude-code': '2.1.328',
  '@openai/codex': '0.169.0',
  '@google/gemini-cli': '0.61.0',
};

/** Where the clients are kept: outside the project, by version. Their commands are in `node_modules/.bin` below it. */
export const clientsFolder = join(cacheFolder, `clients-${Object.values(CLIENTS).join('-')}`);

/** Whether the clients are there; the folder gets its name when it is complete. */
export const hasClients = () => existsSync(clientsFolder);

/** Installs the clients into the cache, once. */
export async function installClients() {
  if (hasClients()) return;
  say(`installing ${Object.keys(CLIENTS).join(', ')} into ${clientsFolder} ...`);
  const draft = `${clientsFolder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const allowScripts = Object.fromEntries(Object.keys(CLIENTS).map((name) => [name, true]));
  writeFileSync(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies: CLIENTS, allowScripts }));
  const { code } = await npm(['install', '--loglevel=error'], { cwd: draft, show: true });
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new Fault('the real clients could not be installed; check that the npm registry can be reached, and run this again.');
  }
  renameSync(draft, clientsFolder);
}
