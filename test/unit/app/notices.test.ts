// UI.md "Desktop manners": what the app tells, once, and never for each request.
import { describe, expect, it } from 'vitest';
import { DOWN_AFTER_MS, NOTHING_TOLD, noticed, waitBeforeBreakers, type NoticeFact } from '../../../main/app/notice-rules.ts';
import { createNotices } from '../../../main/app/notices.ts';
import { createTexts } from '../../../main/app/i18n.ts';
import type { Notice } from '../../../shared/desktop.ts';
import type { ExchangeEvent, GatewayState } from '../../../shared/events.ts';
import type { BreakerPhase, UpstreamHealth } from '../../../shared/health.ts';
import { noticePlace, noticeWords } from '../../../shared/notice-words.ts';
import type { Settings } from '../../../shared/settings.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { rowWith } from '../../support/rows.ts';
import { upstreamOf } from '../../support/upstreams.ts';

const PROBLEM = { kind: 'port_in_use', port: 4653, owner: 'nginx', freePort: 4654 } as const;
const FAILED: GatewayState = { status: 'failed', problem: PROBLEM };
const RUNNING: GatewayState = { status: 'running', url: 'http://127.0.0.1:4653', port: 4653, problem: null };
const A = { id: 'a', name: 'A' };
const B = { id: 'b', name: 'B' };
const MINUTE = 60_000;

/** The kinds of notice that each fact leads to, one after the other. */
function told(facts: readonly NoticeFact[]): string[] {
  let memory = NOTHING_TOLD;
  return facts.map((fact) => {
    const step = noticed(memory, fact);
    memory = step.memory;
    return step.notices.map((notice) => ('upstream' in notice ? `${notice.kind} ${notice.upstream}` : notice.kind)).join();
  });
}
const gateway = (state: GatewayState): NoticeFact => ({ kind: 'gateway', state });
const rejected = (upstream = A): NoticeFact => ({ kind: 'rejected', upstream });
const answered = (upstreamId = 'a'): NoticeFact => ({ kind: 'answered', upstreamId });
const changed = (upstreamId = 'a'): NoticeFact => ({ kind: 'changed', upstreamId });
const at = (minutes: number, phase: BreakerPhase, other: BreakerPhase = 'closed'): NoticeFact => ({ kind: 'breakers', nowMs: minutes * MINUTE, upstreams: [{ ...A, phase }, { ...B, phase: other }] });

describe('what is worth a word', () => {
  it.each<[string, readonly NoticeFact[], readonly string[]]>([
    ['a gateway that cannot start, once until it runs', [gateway({ status: 'starting' }), gateway(FAILED), gateway(FAILED), gateway(RUNNING), gateway(FAILED)], ['', 'gateway_failed', '', '', 'gateway_failed']],
    ['no gateway that runs on at its old port: the user moved it and sees why', [gateway({ ...RUNNING, problem: PROBLEM })], ['']],
    ['a rejected key, once for each upstream until it works again', [rejected(), rejected(), rejected(B), rejected(B), answered(), rejected(B), rejected()], ['key_rejected A', '', 'key_rejected B', '', '', '', 'key_rejected A']],
    ['a rejected key of an upstream that was edited', [rejected(), changed(), rejected(), changed('b'), rejected()], ['key_rejected A', '', 'key_rejected A', '', '']],
    ['an upstream whose breaker is open for five minutes, once', [at(0, 'open'), at(4.99, 'open'), at(5, 'open'), at(6, 'open'), at(60, 'open')], ['', '', 'upstream_down A', '', '']],
    ['one whose probes fail in between', [at(0, 'open'), at(1, 'half_open'), at(1.1, 'open'), at(3, 'half_open'), at(3.1, 'open'), at(5.2, 'open')], ['', '', '', '', '', 'upstream_down A']],
    ['one that nobody asks: only when it fails again', [at(0, 'open'), at(1, 'half_open'), at(30, 'half_open'), at(31, 'open')], ['', '', '', 'upstream_down A']],
    ['none that was well in between', [at(0, 'open'), at(4, 'closed'), at(4.5, 'open'), at(6, 'open'), at(9.5, 'open')], ['', '', '', '', 'upstream_down A']],
    ['it again, after it was back', [at(0, 'open'), at(5, 'open'), at(6, 'closed'), at(7, 'open'), at(12, 'open')], ['', 'upstream_down A', '', '', 'upstream_down A']],
    ['two upstreams, each by itself', [at(0, 'open'), at(2, 'open', 'open'), at(5, 'open', 'open'), at(7, 'open', 'open')], ['', '', 'upstream_down A', 'upstream_down B']],
    ['none that was edited meanwhile', [at(0, 'open'), changed(), at(5, 'open'), at(10, 'open')], ['', '', '', 'upstream_down A']],
  ])('is %s', (_what, facts, expected) => { expect(told(facts)).toEqual(expected); });

  it('is looked at again when five minutes are over, and not before, and not for what is told', () => {
    const after = noticed(NOTHING_TOLD, at(0, 'open')).memory;
    expect(waitBeforeBreakers(NOTHING_TOLD, 0)).toBeNull();
    expect(waitBeforeBreakers(after, MINUTE)).toBe(DOWN_AFTER_MS - MINUTE);
    expect(waitBeforeBreakers(noticed(after, at(5, 'open')).memory, 5 * MINUTE)).toBeNull();
    expect(waitBeforeBreakers(noticed(after, at(5, 'half_open')).memory, 5 * MINUTE)).toBeNull();
  });
});

function rig(mode: Settings['app.notifications'], system = true) {
  const clock = createFakeClock();
  const world = { mode, visible: true, phase: 'closed' as BreakerPhase, upstreams: [upstreamOf({ id: 'a' }), upstreamOf({ id: 'c', credential: { kind: 'client' } })] };
  const bySystem: Notice[] = [];
  const counts: number[] = [];
  let waiting = 0;
  const notices = createNotices({
    clock, mode: () => world.mode, upstreams: () => world.upstreams, isVisible: () => world.visible,
    health: () => [{ upstreamId: 'a', phase: world.phase } as UpstreamHealth],
    waiting: () => { waiting++; }, counted: (count) => { counts.push(count); },
    tellBySystem: (notice) => {
      if (system) bySystem.push(notice);
      return system;
    },
  });
  const failed = (upstream: string, failureClass: 'auth' | 'transient' = 'auth') => { notices.note({ kind: 'attempt_failed', id: 'x', at: 0, n: 1, upstream, class: failureClass, code: 'authentication_error', status: 401 }); };
  return { clock, world, notices, bySystem, counts, waiting: () => waiting, failed };
}
const finished: ExchangeEvent = { kind: 'finished', id: 'x', row: rowWith({ upstream: 'A' }) };

describe('telling it', () => {
  it('in the app: at once while the window can be seen, else when it comes into sight, with a number at the icon meanwhile', () => {
    const { notices, world, failed, waiting, counts } = rig('in_app');
    failed('A');
    expect([waiting(), notices.count()]).toEqual([1, 1]);
    expect(notices.take().map(({ kind }) => kind)).toEqual(['key_rejected']);
    expect(notices.take()).toEqual([]);
    world.visible = false;
    notices.gateway(FAILED);
    notices.tell({ kind: 'update_available', version: '2.0.0' });
    expect(waiting()).toBe(1);
    world.visible = true;
    notices.visible();
    expect([waiting(), notices.take().length, notices.count()]).toEqual([2, 2, 0]);
    expect(counts).toEqual([1, 0, 1, 2, 0]);
    notices.visible();
    expect(waiting()).toBe(2);
  });

  it('by the system, and in the app where the system has no notifications', () => {
    const own = rig('system');
    own.notices.gateway(FAILED);
    expect([own.bySystem.length, own.notices.count()]).toEqual([1, 0]);
    const without = rig('system', false);
    without.notices.gateway(FAILED);
    expect([without.notices.count(), without.waiting()]).toEqual([1, 1]);
  });

  it('not at all when the user does not want it, and nothing is made up for later', () => {
    const { notices, world, failed, bySystem } = rig('off');
    failed('A');
    world.mode = 'in_app';
    failed('A');
    expect([notices.count(), bySystem.length]).toEqual([0, 0]);
  });

  it('never one for each request: hundreds of rejected ones are one, and a success makes the next worth a word', () => {
    const { notices, failed } = rig('in_app');
    for (let n = 0; n < 300; n++) failed('A');
    failed('A', 'transient');
    expect(notices.take()).toHaveLength(1);
    notices.note(finished);
    failed('A');
    expect(notices.take()).toHaveLength(1);
  });

  // SPEC 2.4
  it('not for a credential of the client, nor for an upstream that is gone', () => {
    const { notices, failed } = rig('in_app');
    failed('C');
    failed('Z');
    expect(notices.count()).toBe(0);
  });

  it('of an upstream that is down after five minutes by the clock, though nothing happens then; an edit begins anew', async () => {
    const { notices, world, clock } = rig('in_app');
    world.phase = 'open';
    notices.health();
    await clock.advance(DOWN_AFTER_MS - 1);
    expect(notices.count()).toBe(0);
    await clock.advance(1);
    expect(notices.take()).toEqual([{ kind: 'upstream_down', upstreamId: 'a', upstream: 'A', minutes: 5 }]);
    expect(clock.pending()).toBe(0);
    world.upstreams = [upstreamOf({ id: 'a' })];
    notices.upstreamsChanged();
    notices.health();
    expect(clock.waits()).toEqual([DOWN_AFTER_MS]);
    notices.stop();
    expect(clock.pending()).toBe(0);
  });

  it('keeps the newest twenty for whoever was away', () => {
    const { notices, world } = rig('in_app');
    world.visible = false;
    for (let n = 0; n < 30; n++) notices.tell({ kind: 'update_available', version: `1.0.${n}` });
    expect(notices.take().map((notice) => ('version' in notice ? notice.version : ''))).toEqual(Array.from({ length: 20 }, (_, n) => `1.0.${n + 10}`));
  });
});

describe('the words', () => {
  const all: Notice[] = [
    { kind: 'gateway_failed', problem: PROBLEM }, { kind: 'gateway_failed', problem: { ...PROBLEM, owner: null } }, { kind: 'gateway_failed', problem: { ...PROBLEM, kind: 'port_forbidden' } },
    { kind: 'gateway_failed', problem: { ...PROBLEM, kind: 'address_unavailable' } }, { kind: 'key_rejected', upstreamId: 'a', upstream: 'A' }, { kind: 'upstream_down', upstreamId: 'a', upstream: 'A', minutes: 5 }, { kind: 'update_available', version: '2.0.0' },
  ];
  it.each(['en', 'zh'] as const)('are there in %s, with what they are about', (language) => {
    const { t } = createTexts(language);
    const lines = all.map((notice) => noticeWords(notice, t)).flatMap(({ title, body }) => [title, body]);
    expect(lines.filter((line) => line === '' || line.includes('notice.') || line.includes('{{'))).toEqual([]);
    expect(lines[1]).toMatch(/4653.*nginx/);
    expect(lines[10]).toMatch(/A.*5/);
    expect(all.map(noticePlace)).toEqual(['overview', 'overview', 'overview', 'overview', 'upstreams', 'upstreams', 'about']);
  });
});
