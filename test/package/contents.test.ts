// What lies in a package, for both architectures, as it would be shipped from here (DESIGN 2; nothing but what the app reads at run time).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import asar from '@electron/asar';
import { describe, expect, it } from 'vitest';
import { appSizes, sizesInWords } from '../../scripts/lib/packaging.mjs';
import { inPackage, root } from '../../scripts/lib/paths.mjs';
import { packedApp } from './support/packed.ts';

describe.each(['x64', 'arm64'] as const)('the package for %s', (arch) => {
  const packed = packedApp({ to: 'look', arch });
  const files = () => asar.listPackage(join(packed().resources, 'app.asar'), { isPack: false }).map((path) => path.replaceAll('\\', '/'));

  it('holds the built app, its two pictures and SQLite, and neither sources nor maps nor the tools of the build', () => {
    const strange = files().filter((path) => !/^\/(out|assets\/generated\/(tray|icons)|node_modules\/better-sqlite3)(\/|$)|^\/(package\.json|LICENSE|assets|assets\/generated|node_modules)$/.test(path));
    expect(strange).toEqual([]);
    expect(files().filter((path) => /\.(map|ts|tsx|c|cpp|cc|h|gyp|md)$|\.inputs$|headless/.test(path))).toEqual([]);
    for (const needed of ['/out/main/index.js', '/out/main/store-writer.js', '/out/main/store-reader.js', '/out/preload/index.cjs', '/out/renderer/index.html', '/assets/generated/tray/running.png', '/assets/generated/icons/256x256.png']) expect(files()).toContain(needed);
  });

  it('holds the binding of SQLite for this system and architecture, byte for byte, and beside the archive nothing else', () => {
    const beside = readdirSync(join(packed().resources, 'app.asar.unpacked'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const name = `${process.platform}-${arch}.node`;
    expect(beside.map((entry) => entry.name)).toEqual([name]);
    const inner = join('node_modules', 'better-sqlite3', 'prebuilds', name);
    expect(readFileSync(join(packed().resources, 'app.asar.unpacked', inner)).equals(readFileSync(inPackage('better-sqlite3', 'prebuilds', name)))).toBe(true);
  });

  it('is the version of the project, and looks for updates nowhere as long as the build names no feed', () => {
    const read = (path: string): unknown => JSON.parse(asar.extractFile(join(packed().resources, 'app.asar'), path).toString());
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(read('package.json')).toMatchObject({ name: 'holdfast', version, main: 'out/main/index.js', desktopName: 'holdfast.desktop' });
    expect(read('package.json')).not.toHaveProperty('devDependencies');
    expect(existsSync(join(packed().resources, 'app-update.yml'))).toBe(false);
  });

  it('is smaller than 15 MB without Electron', () => {
    console.log(`measured: ${sizesInWords(packed())}`);
    expect(appSizes(packed().folder, packed().resources).app).toBeLessThan(15_000_000);
  });
});
