// DESIGN 7: what comes from the page enters as `unknown` and leaves as a type or a readable refusal.
import { describe, expect, it } from 'vitest';
import { parseArgument } from '../../../main/ipc/arguments.ts';
import { isOurPage } from '../../../main/ipc/sender.ts';

describe('arguments of the window', () => {
  it('pass as they are when they fit', () => {
    const query = { view: 'requests', filter: { outcomes: ['failed'], retriedOnly: true, text: '%' }, before: { started_at: 1, id: 'a' }, limit: 100 };
    expect(parseArgument('requests.list', query)).toEqual(query);
    expect(parseArgument('settings.set', { key: 'gateway.retry_wait_secs', value: 601 })).toEqual({ key: 'gateway.retry_wait_secs', value: 601 });
    expect(parseArgument('app.info', null)).toBeNull();
  });

  it.each([
    ['app.info', {}, 'app.info refused'],
    ['requests.list', { view: 'requests', filter: {}, limit: 0 }, 'limit'],
    ['requests.list', { view: 'requests', filter: {}, limit: 501 }, 'limit'],
    ['requests.list', { view: 'requests', filter: {}, limit: 1, order: 'asc' }, 'order'],
    ['requests.list', { view: 'elsewhere', filter: {}, limit: 1 }, 'view'],
    ['requests.list', { view: 'requests', filter: { text: '' }, limit: 1 }, 'filter.text'],
    ['requests.list', { view: 'requests', filter: { outcomes: [] }, limit: 1 }, 'filter.outcomes'],
    ['requests.list', { view: 'requests', filter: { statusClasses: [3] }, limit: 1 }, 'filter.statusClasses'],
    ['requests.count', { view: 'requests', filter: { models: Array.from({ length: 51 }, () => 'm') } }, 'filter.models'],
    ['requests.count', { view: 'requests', filter: { where: '1 = 1' } }, 'where'],
    ['requests.get', { id: '' }, 'id'],
    ['document.export', { password: 'short' }, 'password'],
    ['figures.get', { span: '2h' }, 'span'],
    ['log.status', {}, 'log.status refused'],
    ['requests.get', 'abc', 'argument'],
    ['settings.set', { key: 'gateway.nothing', value: 1 }, 'key'],
    ['settings.set', { key: '__proto__', value: 1 }, 'key'],
    ['gateway.use_port', { port: 80 }, 'port'],
    ['gateway.use_port', { port: '8080' }, 'port'],
    ['clipboard.copy', { what: 'file', text: 'x' }, 'what'],
    ['upstreams.add', { preset: 'openai' }, 'name'],
    ['demo.send', undefined, 'demo.send refused'],
  ] as const)('%s with %j is refused by name', (channel, raw, named) => {
    expect(() => parseArgument(channel, raw)).toThrow(named);
  });

  it('are never quoted in a refusal: they may hold a secret', () => {
    const attempt = () => parseArgument('upstreams.add', { preset: 'openai', name: 'x', base_url: 5, formats: [], credential: { kind: 'stored', value: 'sk-secret', more: 'sk-secret' } });
    expect(attempt).toThrow(TypeError);
    expect(attempt).not.toThrow(/sk-secret/);
  });
});

describe('the sender', () => {
  const page = { id: 7 };
  const frame = { url: 'app://holdfast/index.html', parent: null };
  const origin = 'app://holdfast';

  it('is the main frame of the window on our page', () => {
    expect(isOurPage({ sender: { id: 7 }, senderFrame: frame }, page, origin)).toBe(true);
  });

  it.each([
    ['another window', { sender: { id: 8 }, senderFrame: frame }, page],
    ['a frame inside the page', { sender: { id: 7 }, senderFrame: { ...frame, parent: frame } }, page],
    ['a page of elsewhere', { sender: { id: 7 }, senderFrame: { ...frame, url: 'https://example.com/' } }, page],
    ['a page whose name begins like ours', { sender: { id: 7 }, senderFrame: { ...frame, url: 'app://holdfast.example.com/' } }, page],
    ['a frame that has gone', { sender: { id: 7 }, senderFrame: null }, page],
    ['anybody while there is no window', { sender: { id: 7 }, senderFrame: frame }, null],
  ])('is not %s', (_who, sender, window) => {
    expect(isOurPage(sender, window, origin)).toBe(false);
  });
});
