import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';

const COMMAND_TIMEOUT_MS = 2_000;

/** Name of the program that listens on this port, as far as the OS tells; null when it does not. Never rejects. */
export async function portOwner(port: number, platform: NodeJS.Platform = process.platform): Promise<string | null> {
  try {
    if (platform === 'linux') return await ownerOnLinux(port);
    if (platform === 'darwin') return nameFromLsof(await output('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']));
    if (platform === 'win32') {
      const pid = pidFromNetstat(await output('netstat', ['-ano', '-p', 'TCP']), port);
      return pid === null ? null : nameFromTasklist(await output('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']));
    }
    return null;
  } catch {
    // Another user's process, a hardened system, a missing command: then nobody knows.
    return null;
  }
}

/** Inodes of sockets that listen on the port, from the text of /proc/net/tcp or tcp6. */
export function listeningInodes(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return table.split('\n').slice(1).flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    // Fields: number, local address, remote address, state (0A listens), ..., inode.
    return fields[1]?.endsWith(`:${wanted}`) === true && fields[3] === '0A' && fields[9] !== undefined ? [fields[9]] : [];
  });
}

/** First program name in the field output of lsof. */
export function nameFromLsof(text: string): string | null {
  return /^c(.+)$/m.exec(text)?.[1]?.trim() ?? null;
}

/** The process that listens on the port, from `netstat -ano`; state names are translated on some systems, the empty remote address is not. */
export function pidFromNetstat(text: string, port: number): string | null {
  for (const line of text.split('\n')) {
    const [, local, remote, , pid] = line.trim().split(/\s+/);
    if (local?.endsWith(`:${port}`) === true && (remote === '0.0.0.0:0' || remote === '[::]:0') && pid !== undefined && /^\d+$/.test(pid)) return pid;
  }
  return null;
}

/** Program name in the CSV output of tasklist. */
export function nameFromTasklist(text: string): string | null {
  return /^"([^"]+)","\d+"/m.exec(text)?.[1] ?? null;
}

async function ownerOnLinux(port: number): Promise<string | null> {
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')));
  const sockets = new Set(tables.flatMap((table) => listeningInodes(table, port)).map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return null;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = await Promise.all(descriptors.map((descriptor) => readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')));
    if (links.some((link) => sockets.has(link))) return nameOnLinux(pid);
  }
  return null;
}

// The executable's name: `comm` is the name of a thread, which programs change (Node calls its own MainThread).
async function nameOnLinux(pid: string): Promise<string> {
  const executable = await readlink(`/proc/${pid}/exe`).catch(() => null);
  if (executable !== null) return basename(executable.replace(/ \(deleted\)$/, ''));
  return (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, [...args], { timeout: COMMAND_TIMEOUT_MS, windowsHide: true }, (error, stdout) => {
      if (error !== null && stdout === '') reject(new Error(`${command} failed`, { cause: error }));
      else resolve(stdout);
    });
  });
}
