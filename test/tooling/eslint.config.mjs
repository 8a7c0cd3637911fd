// Run from the root: `eslint --config test/tooling/eslint.config.mjs .`
import { fileURLToPath } from 'node:url';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const root = fileURLToPath(new URL('../..', import.meta.url));

const byPort = 'It comes in by a port (Clock, Random) or as an argument: this code must give the same answer every time.';
const PURE_GLOBALS = ['Date', 'setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'performance', 'crypto', 'process'];

/** Code that decides, and the loop that joins it to the world: no time, no chance, no world (DESIGN 3.8). */
const PURE_FILES = ['main/gateway/core/**/*.ts', 'shared/**/*.ts', 'main/gateway/{exchange,health,affinity,budget,ports}.ts'];

/** Files whose tool asks for a default export. */
const TOOL_CONFIGURATION = ['**/vite.config.ts', 'test/tooling/*.{mjs,cjs}', 'test/tooling/vitest.config.ts'];

export default defineConfig(
  { ignores: ['node_modules/', 'out/', 'dist/', 'test/fixtures/', 'bench/**/node_modules/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // No methods here have a `this`: parts are values made of functions.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // A port is asynchronous for all who stand behind it, also for one that has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // Settings are deleted from records by their dotted keys.
      '@typescript-eslint/no-dynamic-delete': 'off',
      'no-console': 'error',
    },
  },
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
      'no-unused-labels': 'error',
      'no-unreachable': 'error',
      'no-self-assign': 'error',
      'no-constant-condition': ['error', { checkLoops: false }],
      'max-lines': ['error', { max: 300 }],
      'no-restricted-syntax': ['error', { selector: 'ExportDefaultDeclaration', message: 'Exports have names.' }],
    },
  },
  { files: TOOL_CONFIGURATION, rules: { 'no-restricted-syntax': 'off' } },
  {
    files: PURE_FILES,
    rules: {
      'no-restricted-globals': ['error', ...PURE_GLOBALS.map((name) => ({ name, message: byPort }))],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random', message: byPort }],
    },
  },
  { files: ['main/gateway/core/**/*.ts'], rules: { 'no-restricted-syntax': ['error', { selector: 'ExportDefaultDeclaration', message: 'Exports have names.' }, { selector: 'TryStatement', message: 'In core failures are values: no try.' }] } },
  { files: ['renderer/**/*.{ts,tsx}'], extends: [reactHooks.configs.flat['recommended-latest']], rules: { 'react-hooks/incompatible-library': 'off' } },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      'no-console': 'off',
      // A test may assert what the types cannot know, and reads answers whose shape it is there to check.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
