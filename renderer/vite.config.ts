import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { licences } from '../scripts/lib/licences.mjs';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  // The window loads its page from a file, so every address in it is relative.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), licences({ root: here('..') })],
  build: {
    // Chromium 130 is the oldest that shows the window (the Electron 33 of test machines).
    target: 'chrome130',
    outDir: here('../out/renderer'),
    emptyOutDir: true,
    sourcemap: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    // Nothing is inlined as data: addresses, which the content security policy need not allow then.
    assetsInlineLimit: 0,
    // The default polyfill is an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
  },
});
