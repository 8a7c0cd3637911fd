import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileFor, isAllowed } from '../../../main/app/page-address.ts';

const folder = '/opt/holdfast/out/renderer';

describe('addresses of the page', () => {
  it.each([
    ['app://holdfast/', 'index.html'],
    ['app://holdfast/index.html', 'index.html'],
    ['app://holdfast/assets/index-1a.js?v=1#x', 'assets/index-1a.js'],
    ['app://holdfast/a/../index.html', 'index.html'],
    ['app://holdfast/with%20space.png', 'with space.png'],
  ])('%s is a file of the page', (url, file) => {
    expect(fileFor(url, folder)).toBe(join(folder, file));
  });

  it.each([
    'app://elsewhere/index.html',
    'http://holdfast/index.html',
    'file:///etc/passwd',
    'app://holdfast/..%2f..%2fmain/index.js',
    'app://holdfast/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd',
    'app://holdfast/..%5c..%5cmain%5cindex.js',
    'app://holdfast/a%00.js',
    'app://holdfast/%ff',
    'not an address',
  ])('%s leads to no file outside the folder', (url) => {
    expect(fileFor(url, folder)).toBeNull();
  });

  it.each(['http://127.0.0.1:4653/', 'https://example.com/', 'file:///etc/passwd', 'app://holdfast.example.com/', 'app://holdfast@example.com/', 'data:text/html,x', 'javascript:alert(1)', 'blob:app://holdfast/1'])('a page may not load %s', (url) => {
    expect(isAllowed(url)).toBe(false);
  });

  it('a page may load its own files and pictures that stand in them', () => {
    expect(isAllowed('app://holdfast/assets/index.js')).toBe(true);
    expect(isAllowed('data:image/svg+xml,<svg/>')).toBe(true);
  });
});
