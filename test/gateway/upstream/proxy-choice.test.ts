import { describe, expect, test } from 'vitest';
import { chooseProxy } from '../../../main/gateway/upstream/proxy-choice.ts';
import { isLoopbackHost, isSelfAddress } from '../../../main/gateway/upstream/self-address.ts';

const notSelf = (): boolean => false;
const choose = (setting: string, target: string, variables: Record<string, string> = {}, isSelf: (url: URL) => boolean = notSelf): string => {
  const choice = chooseProxy(setting, new URL(target), variables, isSelf);
  return choice.kind === 'proxy' ? choice.url.href : choice.kind === 'direct' && choice.loopAvoided ? 'direct, loop avoided' : choice.kind;
};

// SPEC 2.6
describe('the way to an upstream', () => {
  const both = { HTTP_PROXY: 'http://plain:1', HTTPS_PROXY: 'http://secure:2' };
  test.each([
    ['system', 'https://api.example.com', {}, 'direct'],
    ['system', 'https://api.example.com', both, 'http://secure:2/'],
    ['system', 'http://api.example.com', both, 'http://plain:1/'],
    ['system', 'https://api.example.com', { HTTP_PROXY: 'http://plain:1' }, 'http://plain:1/'],
    ['system', 'http://api.example.com', { HTTPS_PROXY: 'http://secure:2' }, 'direct'],
    ['system', 'https://api.example.com', { ALL_PROXY: 'all:3' }, 'http://all:3/'],
    ['system', 'https://api.example.com', { https_proxy: 'http://lower:4', HTTPS_PROXY: 'http://upper:5' }, 'http://lower:4/'],
    ['system', 'https://api.example.com', { HTTPS_PROXY: ' ' }, 'direct'],
    ['system', 'https://api.example.com', { HTTPS_PROXY: 'socks5://x:1' }, 'socks5://x:1'],
    ['system', 'https://api.example.com', { ALL_PROXY: 'socks5h://x' }, 'socks5h://x'],
    ['system', 'https://api.example.com', { HTTPS_PROXY: 'socks4://x:1' }, 'direct'],
    ['none', 'https://api.example.com', both, 'direct'],
    ['http://mine:8', 'https://api.example.com', both, 'http://mine:8/'],
    ['https://mine:8', 'https://api.example.com', {}, 'https://mine:8/'],
    ['socks5://mine:8', 'https://api.example.com', {}, 'socks5://mine:8'],
    ['socks4://mine:8', 'https://api.example.com', {}, 'refused'],
    ['ftp://mine:8', 'https://api.example.com', {}, 'refused'],
    ['not an address', 'https://api.example.com', {}, 'refused'],
  ])('%s to %s with %j: %s', (setting, target, variables, way) => {
    expect(choose(setting, target, variables as Record<string, string>)).toBe(way);
  });

  test.each(['http://localhost:11434', 'http://127.0.0.1:1', 'http://[::1]:1', 'http://127.8.9.1', 'http://ollama.localhost', 'http://0.0.0.0:1'])('%s never uses a proxy', (target) => {
    expect(choose('http://mine:8', target, both)).toBe('direct');
    expect(choose('system', target, both)).toBe('direct');
  });

  test.each([
    ['example.com', 'direct'], ['.example.com', 'direct'], ['*.example.com', 'direct'], ['*', 'direct'], ['a, api.example.com', 'direct'], ['api.example.com:443', 'direct'],
    ['api.example.com:80', 'http://secure:2/'], ['ample.com', 'http://secure:2/'], ['other.org', 'http://secure:2/'],
  ])('NO_PROXY %s', (list, way) => {
    expect(choose('system', 'https://api.example.com', { ...both, NO_PROXY: list })).toBe(way);
  });

  test('NO_PROXY ranges and addresses', () => {
    expect(choose('system', 'http://10.1.2.3', { ...both, no_proxy: '10.0.0.0/8' })).toBe('direct');
    expect(choose('system', 'http://11.1.2.3', { ...both, no_proxy: '10.0.0.0/8' })).toBe('http://plain:1/');
    expect(choose('system', 'http://[fd00::1]:8080', { ...both, no_proxy: '[fd00::1]:8080' })).toBe('direct');
  });

  test('a proxy that is the gateway is refused when configured and passed by when it comes from the environment', () => {
    const isSelf = (url: URL): boolean => isSelfAddress(url, [4653]);
    expect(choose('http://localhost:4653', 'https://api.example.com', {}, isSelf)).toBe('refused');
    expect(choose('system', 'https://api.example.com', { ALL_PROXY: 'http://[::1]:4653' }, isSelf)).toBe('direct, loop avoided');
    expect(choose('system', 'https://api.example.com', { ALL_PROXY: 'http://127.0.0.1:4654' }, isSelf)).toBe('http://127.0.0.1:4654/');
  });

  test('loopback is told by name and address', () => {
    expect(['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::ffff:7f00:1]'].every(isLoopbackHost)).toBe(true);
    expect(['localhost.example.com', '128.0.0.1', 'example.com', '[::2]'].some(isLoopbackHost)).toBe(false);
  });
});
