// UI.md: links of other programs open the window on something, and that is all they can do.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkInbox, linkAmong, mayHandOver, readLink } from '../../../main/app/links.ts';
import { PAGE_NAMES } from '../../../shared/ipc.ts';
import { SETTINGS_SECTIONS, type LinkTarget } from '../../../shared/link.ts';

const ID = '019ac0de-7c1f-7a52-9b1e-0123456789ab';

describe('a link', () => {
  it('leads to every page, to one request, to every section of the settings', () => {
    for (const page of PAGE_NAMES) expect(readLink(`holdfast://${page}`)).toMatchObject({ page });
    expect(readLink(`holdfast://requests/${ID}`)).toEqual({ page: 'requests', id: ID });
    for (const section of SETTINGS_SECTIONS) expect(readLink(`holdfast://settings/${section.replaceAll('_', '-')}`)).toEqual({ page: 'settings', section });
  });

  it('may end in the slash that Windows puts behind a name', () => {
    expect(readLink('holdfast://settings/')).toEqual({ page: 'settings', section: null });
    expect(readLink(`holdfast://requests/${ID}/`)).toEqual({ page: 'requests', id: ID });
  });

  it.each([
    ['another scheme', 'http://requests'],
    ['a file', 'file:///etc/passwd'],
    ['no page', 'holdfast://'],
    ['a page that does not exist', 'holdfast://connect'],
    ['an action', 'holdfast://import/setup.json'],
    ['an action as a host', 'holdfast://add-upstream?base_url=http://evil.example'],
    ['a section that does not exist', 'holdfast://settings/strategy'],
    ['a name of the prototype', 'holdfast://settings/__proto__'],
    ['a name of the prototype as a page', 'holdfast://constructor'],
    ['something below a page that has nothing below', 'holdfast://upstreams/main'],
    ['an id that is none', 'holdfast://requests/1'],
    ['a traversal', 'holdfast://requests/../settings/general'],
    ['a hidden traversal', 'holdfast://requests/%2e%2e%2fsettings'],
    ['a Windows path', 'holdfast://requests\\..\\..\\windows\\system32'],
    ['a path of a file', `holdfast://requests/${ID}/../../../etc/passwd`],
    ['a query', `holdfast://requests/${ID}?retry=now`],
    ['a fragment', 'holdfast://settings/server#gateway.port=80'],
    ['a user', 'holdfast://me:secret@settings/server'],
    ['a port', 'holdfast://settings:4653/server'],
    ['markup', 'holdfast://settings/<script>alert(1)</script>'],
    ['encoded markup', 'holdfast://requests/%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E'],
    ['a script behind the scheme', 'holdfast:javascript:alert(1)'],
    ['an option behind a blank', `holdfast://requests/${ID} --remote-debugging-port=9222`],
    ['an option behind a quote', 'holdfast://settings/server" --inspect "'],
    ['a second line', 'holdfast://settings/server\n--inspect'],
    ['a NUL', 'holdfast://settings/server\0'],
    ['a scheme in capitals', 'HOLDFAST://settings'],
    ['letters that only look alike', 'holdfast://sеttings'],
    ['a very long one', `holdfast://settings/${'a'.repeat(5_000_000)}`],
    ['a list', ['holdfast://settings']],
    ['an object that answers as a text', { length: 5, toString: (): string => 'holdfast://settings' }],
    ['nothing', null],
  ])('that is %s leads nowhere', (_what, text) => {
    expect(readLink(text)).toBeNull();
  });

  it('is, whatever it was made of, one of our own names or the id of a request', () => {
    const junk = fc.constantFrom('/', '-', '_', '%2f', '..', '?', '#', ' --flag', '\n', 'x');
    const mostly = (...good: readonly string[]) => fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: junk });
    const links = fc.tuple(mostly(...PAGE_NAMES), mostly('', '/'), mostly('', ID, ...SETTINGS_SECTIONS), mostly('', '/'));
    let read = 0;
    fc.assert(fc.property(fc.oneof(fc.string(), links.map((parts) => `holdfast://${parts.join('')}`)), (text) => {
      const target = readLink(text);
      if (target === null) return;
      read += 1;
      expect(PAGE_NAMES).toContain(target.page);
      const detail = 'id' in target ? target.id : 'section' in target ? target.section : null;
      expect([null, ID, ...SETTINGS_SECTIONS]).toContain(detail);
    }), { numRuns: 2_000 });
    expect(read).toBeGreaterThan(50);
  });
});

describe('the arguments of a start', () => {
  it('hold one link or none', () => {
    expect(linkAmong(['/opt/Holdfast/holdfast', '--no-sandbox', 'holdfast://settings'])).toBe('holdfast://settings');
    expect(linkAmong(['C:\\Holdfast.exe', '--', 'holdfast://settings/'])).toBe('holdfast://settings/');
    expect(linkAmong(['/opt/Holdfast/holdfast', '--hidden', 'settings'])).toBeNull();
    expect(linkAmong([])).toBeNull();
  });

  it('of which two begin like a link hold none: someone has put words into the command line', () => {
    expect(linkAmong(['app', 'holdfast://requests', 'holdfast://settings'])).toBeNull();
    expect(linkAmong(['app', 'holdfast://requests', 'HoldFast:x'])).toBeNull();
  });

  it('are handed over only as long as the message to the running app holds them', () => {
    expect(mayHandOver(['/opt/Holdfast/holdfast', '--no-sandbox', `holdfast://requests/${ID}`])).toBe(true);
    expect(mayHandOver(['app', 'a'.repeat(16_379)])).toBe(true);
    expect(mayHandOver(['app', 'a'.repeat(16_380)])).toBe(false);
    // Bytes count, not characters.
    expect(mayHandOver(['app', '汉'.repeat(6_000)])).toBe(false);
  });

  it('hold no link inside an option', () => {
    expect(linkAmong(['app', '--open=holdfast://settings', ' holdfast://settings'])).toBeNull();
  });
});

describe('the inbox', () => {
  it('keeps the last good link until somebody follows, and hands each one over once', () => {
    const inbox = createLinkInbox();
    const followed: LinkTarget[] = [];
    expect(inbox.arrive('holdfast://overview')).toBe(true);
    expect(inbox.arrive('holdfast://routes')).toBe(true);
    expect(inbox.arrive('holdfast://import')).toBe(false);
    inbox.follow((target) => { followed.push(target); });
    expect(followed).toEqual([{ page: 'routes' }]);
    expect(inbox.arrive('holdfast://upstreams')).toBe(true);
    expect(inbox.arrive('--hidden')).toBe(false);
    expect(followed).toEqual([{ page: 'routes' }, { page: 'upstreams' }]);
  });
});
