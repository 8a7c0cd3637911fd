import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { cacheFolder, projectNode } from './paths.mjs';
import { Fault, run, say } from './run.mjs';

/**
 * A real coding client: its package in the npm registry, the version that was measured, and the program inside the package
 * (a script of Node, or a binary of its own).
 * @typedef {{ package: string, version: string, program: string }} Client
 */

/** @satisfies {Record<string, Client>} */
const CLIENTS = {
  claude: { package: '@anthropic-ai/claude-code', version: '2.1.328', program: 'bin/claude.exe' },
  codex: { package: '@openai/codex', version: '0.169.0', program: 'bin/codex.js' },
  gemini: { package: '@google/gemini-cli', version: '0.61.0', program: 'bundle/gemini.js' },
};

/** @typedef {keyof typeof CLIENTS} ClientName */

/** @type {Client[]} */
const all = Object.values(CLIENTS);

/** Outside the project, a folder for each client and version: another version of one leaves the others alone. @param {Client} client */
const folderOf = ({ package: name, version }) => join(cacheFolder, 'clients', `${name.split('/').at(-1)}-${version}`);

/** @param {Client} client @param {string} folder */
const programIn = (client, folder) => join(folder, 'node_modules', client.package, client.program);

/** @param {Client} client */
const isInstalled = (client) => existsSync(programIn(client, folderOf(client)));

/** Whether all clients are there; a folder gets its name when its client has been seen to start. */
export const hasClients = () => all.every(isInstalled);

/**
 * The command that starts a client, and its first arguments.
 * @param {Client} client
 * @param {string} folder
 * @returns {[string, ...string[]]}
 */
function command(client, folder) {
  const program = programIn(client, folder);
  return client.program.endsWith('.js') ? [projectNode, program] : [program];
}

/**
 * What starts an installed client: a command and its first arguments.
 * @param {ClientName} name
 */
export const clientCommand = (name) => command(CLIENTS[name], folderOf(CLIENTS[name]));

/** @param {Client} client */
async function install(client) {
  const folder = folderOf(client);
  const draft = `${folder}.draft`;
  const what = `${client.package}@${client.version}`;
  // Whatever an interrupted install left is not to be trusted.
  for (const path of [draft, folder]) rmSync(path, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  // Its own start-up script fetches nothing: it puts the binary for this system, a package of its own, into place.
  writeFileSync(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies: { [client.package]: client.version }, allowScripts: { [client.package]: true } }));
  say(`installing ${what} into ${folder} ...`);
  const started = Date.now();
  const progress = setInterval(() => say(`... still installing, ${Math.round((Date.now() - started) / 1000)} s`), 5_000);
  const { code } = await npm(['install', '--prefix', draft, '--loglevel=error'], { cwd: draft, show: true }).finally(() => clearInterval(progress));
  if (code !== 0) throw new Fault(`${what} could not be installed; check that the npm registry can be reached, and run this again.`);
  const [program, ...args] = command(client, draft);
  const start = await run(program, [...args, '--version'], { limitMs: 60_000 });
  if (start.code !== 0 || !start.output.includes(client.version)) throw new Fault(`${what} was installed but does not start here (${start.output.trim().split('\n').at(0)}).`);
  renameSync(draft, folder);
}

/** Installs the clients that are missing into the cache. */
export async function installClients() {
  if (hasClients()) return;
  await withLock('clients', async () => {
    for (const client of all) if (!isInstalled(client)) await install(client);
  });
}
