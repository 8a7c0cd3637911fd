import { describe, expect, it } from 'vitest';
import { hostAllowed, originListed, preflightHeaders } from '../../../main/gateway/downstream/guard.ts';

describe('hosts', () => {
  it.each([
    'localhost', 'LOCALHOST:4653', 'localhost.', '127.0.0.1', '127.0.0.1:4653', '127.1.2.3', '[::1]', '[::1]:4653', '[0:0:0:0:0:0:0:1]:80', '[::ffff:127.0.0.1]',
  ])('%s is this machine', (host) => { // SPEC 1.5
    expect(hostAllowed(host, undefined, [])).toBe(true);
  });

  it.each([
    undefined, '', 'evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', 'evil-localhost', '128.0.0.1', '127.0.0.999', '0x7f.0.0.1', '2130706433',
    '10.0.0.1', '0.0.0.0', '[::2]', '::1', '[::1', 'localhost:abc', 'user@localhost', 'localhost/x', 'localhost, evil.example', '127.0.0.1:4653:1', '[localhost]',
  ])('%s is not', (host) => { // SPEC 1.5
    expect(hostAllowed(host, '127.0.0.1', [])).toBe(false);
  });

  it('lets in what the user allowed, with any port or with one', () => { // SPEC 1.5
    expect(hostAllowed('Box.lan:4653', undefined, ['box.lan'])).toBe(true);
    expect(hostAllowed('box.lan:4653', undefined, ['box.lan:4653'])).toBe(true);
    expect(hostAllowed('box.lan:80', undefined, ['box.lan:4653'])).toBe(false);
    expect(hostAllowed('[fe80::1]:80', undefined, ['fe80::1'])).toBe(true);
    expect(hostAllowed('sub.box.lan', undefined, ['box.lan', '*'])).toBe(false);
  });

  it('lets in the very address that the connection came to', () => { // SPEC 1.1: lan
    expect(hostAllowed('192.168.1.5:4653', '192.168.1.5', [])).toBe(true);
    expect(hostAllowed('192.168.1.5:4653', '::ffff:192.168.1.5', [])).toBe(true);
    expect(hostAllowed('192.168.1.6:4653', '192.168.1.5', [])).toBe(false);
  });
});

describe('origins', () => {
  it.each([
    ['http://localhost:3000', ['http://localhost:3000'], true],
    ['HTTP://LocalHost:3000', ['http://localhost:3000/'], true],
    ['vscode-webview://abc', ['vscode-webview://abc'], true],
    ['http://localhost:3001', ['http://localhost:3000'], false],
    ['https://localhost:3000', ['http://localhost:3000'], false],
    ['http://localhost:3000.evil.example', ['http://localhost:3000'], false],
    ['http://localhost:4653', [], false],
    ['null', ['null', '*'], false],
    ['', ['', '*'], false],
    ['https://evil.example', ['*'], false],
  ])('%s with %j listed: %s', (origin, listed, allowed) => { // SPEC 1.5
    expect(originListed(origin, listed)).toBe(allowed);
  });

  it('repeats only well-formed header names in a preflight', () => { // SPEC 1.5
    expect(preflightHeaders('authorization, x-api-key, bad name, x\r\ny', true)).toEqual([
      ['access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE'],
      ['access-control-allow-headers', 'authorization, x-api-key'],
      ['access-control-allow-private-network', 'true'],
      ['access-control-max-age', '600'],
    ]);
  });
});
