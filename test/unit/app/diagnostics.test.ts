// UI Settings > About, SPEC 2.3, 12.5: what the diagnostics bundle holds, and that no secret is in it, wherever one may have got to.
import { expect, it } from 'vitest';
import { diagnosticsText, type DiagnosticsFacts } from '../../../main/app/diagnostics.ts';
import { defaultSettings } from '../../../shared/settings.ts';
import { openedStore, temporaryFolder } from '../../support/store-parts.ts';

const CANARIES = ['sk-canary-upstream-credential-1', 'plain canary words that look like nothing', 'hf-canary-gateway-key-2', 'canary-proxy-pass-3'];
const FOREIGN = 'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

async function maskOf() {
  const store = await openedStore(temporaryFolder());
  await store.importDocument({
    holdfast: 1,
    upstreams: [{ id: 'a', name: 'A', preset: 'generic', base_url: 'http://127.0.0.1:9', formats: ['chat'], credential: { kind: 'stored', value: CANARIES[0] }, headers: { authorization: `Bearer ${CANARIES[1]}` }, proxy: `http://u:${CANARIES[3]}@127.0.0.1:8` }],
    keys: [{ name: 'k', key: CANARIES[2] }],
  });
  return store.mask;
}

const facts = (spoilt = ''): DiagnosticsFacts => ({
  madeAt: Date.UTC(2026, 10, 30),
  info: { version: '0.1.0', platform: 'linux', systemLanguage: 'en', versions: { electron: '1', node: '2', chromium: '3' }, dataDir: '/home/ada/.config/Holdfast', secretBox: 'file', secretsInClear: 0 },
  system: { release: '6.1', arch: 'x64', memoryMb: 1, uptimeSecs: 1 },
  gateway: { status: 'running', url: 'http://127.0.0.1:4653', port: 4653, problem: null },
  settings: { ...defaultSettings(), 'gateway.retry_rules': [{ upstream: null, statuses: [], text: spoilt, class: 'request' }] },
  upstreams: [{ id: 'a', name: spoilt, preset: 'generic', baseUrl: 'http://127.0.0.1:9', formats: ['chat'], credential: { kind: 'stored', hint: 'sk-...al-1' }, headers: { 'x-a': spoilt }, proxy: 'none', models: [spoilt], maxInFlight: 0, enabled: true }],
  routes: [], keys: 2, health: [],
  failed: [JSON.stringify({ id: 'x', error_message: `upstream said ${spoilt}`, path: `/v1/messages?key=${spoilt}` })],
  logStatus: { rowsLost: 0, refusedNotWritten: 0, bodiesLost: 0, waiting: false, sizeBytes: 1 },
  notices: [{ kind: 'corrupt_set_aside', file: '/home/ada/.config/Holdfast/holdfast.db.corrupt' }],
  lines: [JSON.stringify({ level: 'error', msg: `failed with ${spoilt}` }), `no json ${spoilt}`],
});

it('is readable JSON with everything that helps', () => {
  const bundle = JSON.parse(diagnosticsText(facts('fine'), (text) => text, '/home/ada')) as Record<string, unknown>;
  expect(Object.keys(bundle)).toEqual(['holdfast_diagnostics', 'made_at', 'app', 'system', 'gateway', 'settings', 'upstreams', 'routes', 'gateway_keys', 'health', 'log', 'notices', 'failed_requests', 'app_log']);
  expect(bundle).toMatchObject({ app: { version: '0.1.0', dataDir: '~/.config/Holdfast' }, failed_requests: [{ id: 'x' }], app_log: [{ msg: 'failed with fine' }, 'no json fine'] });
  expect(JSON.stringify(bundle)).not.toContain('/home/ada');
});

it.each([...CANARIES, FOREIGN])('holds no secret, wherever it has got to: %s', async (secret) => {
  const mask = await maskOf();
  const text = diagnosticsText(facts(secret), mask, '/home/ada');
  expect(text).not.toContain(secret);
  expect(text).toContain('[masked]');
  expect(() => JSON.parse(text) as unknown).not.toThrow();
});
