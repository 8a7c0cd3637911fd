import { join } from 'node:path';
import { safeStorage } from 'electron';
import { createSecretFile, type Keychain, type SecretFile } from '../system/secret-file.ts';

// The newer calls are asynchronous and not in the oldest Electron that runs this; a secret box answers at once, from memory.
/* eslint-disable @typescript-eslint/no-deprecated */
const keychain: Keychain = {
  seal: (value) => safeStorage.encryptString(value),
  unseal: (sealed) => safeStorage.decryptString(Buffer.from(sealed)),
};

/** Secrets of this data folder: sealed by the OS keychain where there is one, else in the file that only its owner may read (SPEC 2.3). Electron must be ready. */
export function openSecretBox(dataDir: string): SecretFile {
  return createSecretFile(join(dataDir, 'secrets.json'), hasKeychain() ? keychain : null);
}

function hasKeychain(): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  // Without a secret service Chromium seals with a password that everybody knows (`basic_text`).
  return process.platform !== 'linux' || !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend());
}
