// Who may import whom: DESIGN 3, rule by rule. `layers.test.ts` plants a breach of each rule here and sees it reported.
// Types count as much as values: a layer that knows another's types knows the other layer.
const path = require('node:path');

const root = path.join(__dirname, '..', '..');

/** A package by its name, installed or not. @param {string} names regular expression */
const packages = (names) => `(^|/)(node_modules/)?(?:@types/)?(${names})(/|$)`;

/** The loop and what it remembers: the files of `main/gateway/` itself, but for the one that joins it to the edges. */
const LOOP = '^main/gateway/(?!gateway\\.ts$)[^/]+\\.ts$';

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

module.exports = {
  forbidden: [
    rule('1-shared-sees-itself', 'shared/ imports only itself and the schema library: no Node, no DOM, no other layer.', { path: '^shared/' }, { pathNot: ['^shared/', packages('zod')] }),

    rule('2-core-sees-core-and-shared', 'core/ imports only core/ and shared/.', { path: '^main/gateway/core/' }, { pathNot: ['^main/gateway/core/', '^shared/'] }),
    rule('2-core-folders-are-apart', 'Folders in core/ never import each other.', { path: '^main/gateway/core/([^/]+)/' }, { path: '^main/gateway/core/[^/]+/', pathNot: '^main/gateway/core/$1/' }),
    rule('2-formats-are-apart', 'Formats never import each other.', { path: '^main/gateway/core/formats/([^/]+)/' }, { path: '^main/gateway/core/formats/[^/]+/', pathNot: '^main/gateway/core/formats/$1/' }),

    rule('3-loop-sees-no-edge', 'exchange.ts, health.ts and their like see core/, ports.ts, shared/ and each other; never an edge, never the world.', { path: LOOP }, { pathNot: ['^main/gateway/core/', '^shared/', LOOP] }),
    rule('3-edges-are-apart', 'upstream/ and downstream/ never see each other.', { path: '^main/gateway/(upstream|downstream)/' }, { path: '^main/gateway/(upstream|downstream)/', pathNot: '^main/gateway/$1/' }),

    rule('4-gateway-stands-alone', 'gateway/ never imports app, ipc, preload, store, system, clients, a composition root nor Electron.', { path: '^main/gateway/' }, { path: ['^main/(app|ipc|preload|store|system|clients)/', '^main/(index|headless)\\.ts$', packages('electron')] }),
    rule('4-main-sees-no-window', 'Nothing in main/ imports the renderer.', { path: '^main/' }, { path: '^renderer/' }),

    rule('5-neighbours-see-the-contract', 'store/, system/, clients/ see themselves, shared/ and ports.ts, of all that is ours.', { path: '^main/(store|system|clients)/' }, { path: '^(main|renderer|locales|scripts|bench)/', pathNot: ['^main/$1/', '^main/gateway/ports\\.ts$'] }),

    rule('6-preload-sees-the-channels', 'preload/ sees shared/ipc and electron.', { path: '^main/preload/' }, { pathNot: ['^main/preload/', '^shared/ipc\\.ts$', packages('electron')] }),
    rule('6-renderer-sees-the-contract', 'renderer/ sees itself, shared/ and locales/, of all that is ours.', { path: '^renderer/', pathNot: 'vite\\.config\\.ts$' }, { path: '^(main|scripts|bench)/' }),
    rule('6-renderer-is-no-node', 'The window has no Node.', { path: '^renderer/', pathNot: 'vite\\.config\\.ts$' }, { dependencyTypes: ['core'] }),
    rule('6-hooks-hold-the-bridge', 'Only hooks named use-... import bridge.ts.', { path: '^renderer/', pathNot: '(^|/)use-[^/]+\\.tsx?$' }, { path: '^renderer/bridge\\.ts$' }),

    rule('7-fastify-at-home', 'fastify lives in downstream/.', { path: '^(shared|main|renderer)/', pathNot: '^main/gateway/downstream/' }, { path: packages('fastify|@fastify/[^/]+') }),
    rule('7-undici-at-home', 'undici lives in upstream/.', { path: '^(shared|main|renderer)/', pathNot: '^main/gateway/upstream/' }, { path: packages('undici|undici-types') }),
    rule('7-sqlite-at-home', 'better-sqlite3 lives in store/.', { path: '^(shared|main|renderer)/', pathNot: '^main/store/' }, { path: packages('better-sqlite3') }),
    rule('7-react-at-home', 'react and what is built on it live in renderer/.', { path: '^(shared|main)/', pathNot: 'vite\\.config\\.ts$' }, { path: packages('react|react-[^/]+|@mantine/[^/]+|@tanstack/[^/]+|@tabler/[^/]+') }),
    rule('7-electron-at-home', 'electron lives in app/, ipc/, preload/ and index.ts.', { path: '^(shared|main|renderer)/', pathNot: '^main/((app|ipc|preload)/|index\\.ts$)' }, { path: packages('electron') }),

    rule('8-no-cycles', 'No cycles.', {}, { circular: true }),
    rule('8-nothing-imports-tests', 'Nothing imports test/.', { pathNot: '^test/' }, { path: '^test/' }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: path.join(root, 'tsconfig.json') },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^out/', '^dist/', '^test/fixtures/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'], mainFields: ['module', 'main', 'types'] },
  },
};
