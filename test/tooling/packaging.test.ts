// Packages and their release: what electron-builder.yml and the workflows say. What they make is tried in test/package.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LINK_SCHEME } from '../../main/app/links.ts';
import { settingsOfBuild } from '../../scripts/lib/packaging.mjs';
import { root } from '../../scripts/lib/paths.mjs';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Target { readonly target: string; readonly arch: readonly string[] }
interface Packages { readonly protocols: readonly { readonly schemes: readonly string[] }[]; readonly mac: { readonly target: readonly Target[]; readonly hardenedRuntime: boolean; readonly entitlements: string }; readonly win: { readonly target: readonly Target[] }; readonly linux: { readonly target: readonly Target[] }; readonly nsis: { readonly include: string } }

describe('electron-builder.yml', () => {
  const packages = parse(read('electron-builder.yml')) as Packages;
  const kinds = ({ target }: { readonly target: readonly Target[] }) => target.flatMap(({ target: kind, arch }) => arch.map((one) => `${kind} ${one}`)).sort();

  it('makes every kind of package for both architectures', () => {
    expect(kinds(packages.mac)).toEqual(['dmg arm64', 'dmg x64', 'zip arm64', 'zip x64']);
    expect(kinds(packages.win)).toEqual(['nsis arm64', 'nsis x64']);
    expect(kinds(packages.linux)).toEqual(['AppImage arm64', 'AppImage x64', 'deb arm64', 'deb x64']);
  });

  it('registers the scheme of links that the app reads, and no other', () => {
    expect(packages.protocols.flatMap(({ schemes }) => schemes)).toEqual([LINK_SCHEME]);
  });

  it('gives up one part of the hardened runtime of macOS, the one that V8 needs', () => {
    expect(packages.mac.hardenedRuntime).toBe(true);
    expect([...read(packages.mac.entitlements).matchAll(/<key>(.+)<\/key>/g)].map(([, key]) => key)).toEqual(['com.apple.security.cs.allow-jit']);
  });

  it('takes the links of the app away with it on Windows', () => {
    expect(read(packages.nsis.include)).toContain(`DeleteRegKey HKCU "Software\\Classes\\${LINK_SCHEME}"`);
  });
});

describe('the settings of a build', () => {
  it('name the feed of updates and the home of the project, or nothing', () => {
    expect(settingsOfBuild({})).toEqual([]);
    expect(settingsOfBuild({ HOLDFAST_FEED_URL: '', HOLDFAST_HOMEPAGE: '' })).toEqual([]);
    expect(settingsOfBuild({ HOLDFAST_FEED_URL: 'https://updates.example/holdfast', HOLDFAST_HOMEPAGE: 'https://example.org' })).toEqual(['-c.publish.provider=generic', '-c.publish.url=https://updates.example/holdfast', '-c.extraMetadata.homepage=https://example.org']);
    expect(settingsOfBuild({ HOLDFAST_FEED_URL: 'http://127.0.0.1:8080/feed' })).toContain('-c.publish.url=http://127.0.0.1:8080/feed');
  });

  it.each(['http://updates.example/', 'updates.example', 'file:///tmp/feed', 'https://'])('refuse %s as a feed', (feed) => {
    expect(() => settingsOfBuild({ HOLDFAST_FEED_URL: feed })).toThrow('HOLDFAST_FEED_URL');
  });
});

interface Step { readonly uses?: string; readonly run?: string; readonly name?: string; readonly with?: Readonly<Record<string, string>> }
interface Workflow { readonly permissions: unknown; readonly jobs: Readonly<Record<string, { readonly uses?: string; readonly permissions?: unknown; readonly steps?: readonly Step[]; readonly 'timeout-minutes'?: number }>> }

describe('the workflows', () => {
  const folder = join('.github', 'workflows');
  const workflows = readdirSync(join(root, folder)).map((name) => ({ name, text: read(join(folder, name)), workflow: parse(read(join(folder, name))) as Workflow }));
  const steps = workflows.flatMap(({ workflow }) => Object.values(workflow.jobs).flatMap((job) => job.steps ?? []));

  it('use actions of others only at one commit each, with its version beside it', () => {
    const used = workflows.flatMap(({ text }) => [...text.matchAll(/uses: (.+)$/gm)].map(([, what = '']) => what)).filter((what) => !what.startsWith('./'));
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((what) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(what))).toEqual([]);
    expect(new Set(used).size).toBe(new Set(used.map((what) => what.split('@')[0])).size);
  });

  it('may read the repository, and only the job that drafts the release may write', () => {
    for (const { workflow } of workflows) expect(workflow.permissions).toEqual({ contents: 'read' });
    const writers = workflows.flatMap(({ workflow }) => Object.entries(workflow.jobs).filter(([, job]) => job.permissions !== undefined));
    expect(writers.map(([name, job]) => [name, job.permissions])).toEqual([['release', { contents: 'write' }]]);
    for (const step of steps) if (step.uses?.startsWith('actions/checkout@')) expect(step.with).toMatchObject({ 'persist-credentials': false });
  });

  it('put no text of others into a shell, and end', () => {
    expect(steps.flatMap(({ run }) => [...(run ?? '').matchAll(/\$\{\{\s*([^}]+?)\s*\}\}/g)].map(([, expression = '']) => expression)).filter((expression) => expression !== 'matrix.name')).toEqual([]);
    for (const { workflow } of workflows) for (const job of Object.values(workflow.jobs)) if (job.uses === undefined) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });

  it('release nothing that has not passed npm test, and all that electron-builder.yml makes', () => {
    const release = workflows.find(({ name }) => name === 'release.yml')?.text ?? '';
    expect(workflows.find(({ name }) => name === 'ci.yml')?.text).toContain('- run: npm test\n');
    expect(release).toMatch(/test:\n {4}needs: version\n {4}uses: \.\/\.github\/workflows\/ci\.yml/);
    expect(release).toMatch(/package:\n {4}needs: test\n/);
    for (const kind of ['dmg', 'zip', 'exe', 'AppImage', 'deb']) expect(release).toContain(`dist/*.${kind}`);
    expect(release).toContain('dist/latest*.yml');
  });

  it('find words for the release of this version in the changelog', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`);
  });
});
