import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'vite';
import { licences } from '../scripts/lib/licences.mjs';

/** Loaded from node_modules at run time: native code cannot be bundled, Electron brings itself. */
const external = ['electron', 'better-sqlite3', ...builtinModules, /^node:/];

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Where each entry of the main side is written to, below `out/main/`. */
const entries = {
  index: here('./index.ts'),
  headless: here('./headless.ts'),
  'store-writer': here('./store/writer/worker.ts'),
  'store-reader': here('./store/reader/worker.ts'),
};

const common = {
  root: here('..'),
  publicDir: false,
  logLevel: 'warn',
  // The oldest runtime that must start this: the Electron 33 that tests use where GitHub cannot be reached (Node 20.18).
  build: { target: 'node20', minify: false, sourcemap: true, emptyOutDir: true, reportCompressedSize: false },
  ssr: { noExternal: true, external: ['electron', 'better-sqlite3'] },
} as const satisfies UserConfig;

// A sandboxed preload script cannot be an ES module and cannot load a second file, so it is a build of its own.
const preload: UserConfig = {
  ...common,
  build: {
    ...common.build,
    ssr: true,
    outDir: 'out/preload',
    rolldownOptions: { input: { index: here('./preload/index.ts') }, external, output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false } },
  },
};

const main: UserConfig = {
  ...common,
  // The system's own window and the database go along as they are.
  plugins: [licences({ root: here('..'), besides: ['electron', 'better-sqlite3'] })],
  build: {
    ...common.build,
    ssr: true,
    outDir: 'out/main',
    // Shared chunks lie beside the entries: a worker is found from either by `new URL('./store-writer.js', import.meta.url)`.
    rolldownOptions: { input: entries, external, output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
  },
};

export default defineConfig(({ mode }) => (mode === 'preload' ? preload : main));
