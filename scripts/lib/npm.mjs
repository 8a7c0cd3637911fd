import { delimiter } from 'node:path';
import { run } from './run.mjs';

/** What the user's own configuration of npm may say otherwise, and what would break the set-up. */
const SETTINGS = {
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
  npm_config_audit: 'false',
  npm_config_engine_strict: 'false',
  npm_config_ignore_scripts: 'false',
  npm_config_include: 'dev',
};

/** The environment in which npm runs: without the project's own Node on the path, which an install may be about to replace. */
function npmEnvironment() {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder));
  return { ...process.env, PATH: path.join(delimiter), ...SETTINGS };
}

/**
 * Runs npm: the one that started us, where there is one, on the Node that it runs on.
 * @param {string[]} args
 * @param {{ cwd?: string, show?: boolean }} [options]
 */
export function npm(args, options = {}) {
  const env = npmEnvironment();
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script?.endsWith('npm-cli.js') && node !== undefined) return run(node, [script, ...args], { ...options, env });
  return process.platform === 'win32' ? run('cmd.exe', ['/c', 'npm.cmd', ...args], { ...options, env }) : run('npm', args, { ...options, env });
}
