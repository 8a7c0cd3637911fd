import type { DocumentFault } from '../../shared/document.ts';
import type { GatewayState } from '../../shared/events.ts';
import type { StoreRefusal } from '../store/protocol.ts';

/** Exit codes of SPEC 18.1. */
export const EXIT = { failed: 1, badDocument: 2, locked: 3, portInUse: 4 } as const;

/** What stops a start: the sentence for the user, and the exit code. */
export interface StartFailure { readonly code: number; readonly lines: readonly string[] }

export function refusalWords(refusal: StoreRefusal): StartFailure {
  switch (refusal.kind) {
    case 'locked': return { code: EXIT.locked, lines: [`the data folder ${refusal.dataDir} is in use by another Holdfast; stop that one, or choose another folder with --data-dir`] };
    case 'newer_version': return {
      code: EXIT.failed,
      lines: [`the database ${refusal.file} was written by a newer version (its format is ${refusal.found}, this version knows ${refusal.supported}); nothing was changed. Use that version again, or choose another folder with --data-dir`],
    };
    case 'not_writable': return { code: EXIT.failed, lines: [`the data folder ${refusal.dataDir} cannot be written (${refusal.reason}); choose another with --data-dir`] };
    case 'disk_full': return { code: EXIT.failed, lines: [`there is no space left for the data folder ${refusal.dataDir}`] };
    case 'failed': return { code: EXIT.failed, lines: [`the data folder ${refusal.dataDir} cannot be used: ${refusal.reason}`] };
  }
}

export function documentWords(file: string, faults: readonly DocumentFault[]): StartFailure {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  return { code: EXIT.badDocument, lines: [`the document ${file} has ${count}, nothing of it was taken over:`, ...faults.map(({ path, message }) => `  ${path === '' ? '' : `${path}: `}${message}`)] };
}

export function listenWords(state: Extract<GatewayState, { status: 'failed' }>): StartFailure {
  const { kind, port, owner, freePort } = state.problem;
  const advice = freePort === null ? 'choose another with --port' : `port ${freePort} is free: --port ${freePort}`;
  switch (kind) {
    case 'port_in_use': return { code: EXIT.portInUse, lines: [`port ${port} is in use${owner === null ? '' : ` by ${owner}`}; ${advice}`] };
    case 'port_forbidden': return { code: EXIT.failed, lines: [`port ${port} may not be used by this user; ${advice}`] };
    case 'address_unavailable': return { code: EXIT.failed, lines: ['this machine has no such address to listen on; choose another with --host'] };
  }
}
