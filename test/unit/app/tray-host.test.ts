// UI.md "Desktop manners": Linux works without a tray, so it has to be known whether there is one.
import { expect, it } from 'vitest';
import { runProgram } from '../../../main/app/run-program.ts';
import { hasTrayHost } from '../../../main/app/tray-host.ts';
import { isTrustedFeed } from '../../../main/app/update-feed.ts';

/** A system with these programs, each with its answer. */
function system(answers: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  return {
    asked,
    run: async (program: string) => {
      asked.push(program);
      const answer = answers[program];
      if (answer === undefined) throw new Error('not there');
      return answer;
    },
  };
}

it.each<[NodeJS.Platform, Readonly<Record<string, string>>, boolean, readonly string[]]>([
  ['darwin', {}, true, []],
  ['win32', {}, true, []],
  ['linux', { 'dbus-send': 'method return time=1 sender=org.freedesktop.DBus\n   boolean true\n' }, true, ['dbus-send']],
  ['linux', { 'dbus-send': '   boolean false\n', gdbus: '(true,)\n' }, false, ['dbus-send']],
  ['linux', { gdbus: '(true,)\n' }, true, ['dbus-send', 'gdbus']],
  ['linux', { busctl: 'b true\n' }, true, ['dbus-send', 'gdbus', 'busctl']],
  ['linux', { busctl: 'b false\n' }, false, ['dbus-send', 'gdbus', 'busctl']],
  ['linux', {}, false, ['dbus-send', 'gdbus', 'busctl']],
])('on %s with %j there is a tray: %s', async (platform, answers, there, asked) => {
  const { run, asked: seen } = system(answers);
  expect(await hasTrayHost(platform, run)).toBe(there);
  expect(seen).toEqual(asked);
});

it('a program that is not there or fails is no answer', async () => {
  await expect(runProgram('/nowhere/at-all', [])).rejects.toThrow();
  await expect(runProgram(process.execPath, ['-e', 'process.exit(3)'])).rejects.toThrow();
  expect(await runProgram(process.execPath, ['-p', '"$HOME;echo"'])).toBe('$HOME;echo\n');
});

it.each([
  ['provider: generic\nurl: https://updates.example.com/holdfast\nupdaterCacheDirName: holdfast-updater\n', true],
  ['url: "https://updates.example.com"\nprovider: generic\n', true],
  ['provider: generic\nurl: http://127.0.0.1:8000/feed\n', true],
  ['provider: generic\nurl: http://updates.example.com\n', false],
  ['provider: generic\nurl: http://127.0.0.1.evil.example\n', false],
  ['provider: generic\nurl: file:///etc\n', false],
  ['provider: generic\nurl: https://a.example\nurl: http://b.example\n', false],
  ['provider: github\nowner: x\nrepo: y\n', false],
  ['', false],
])('the feed %j is trusted: %s', (yaml, trusted) => { expect(isTrustedFeed(yaml)).toBe(trusted); });
