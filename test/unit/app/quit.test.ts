// SPEC 17
import { describe, expect, it } from 'vitest';
import { createQuit, QUIT_GRACE_MS } from '../../../main/app/quit.ts';
import type { InFlight } from '../../../shared/events.ts';

const running = (state: InFlight['state']): InFlight => ({ state, row: {}, upstream: null, retries: 0, pause: null }) as unknown as InFlight;

function world(inFlight: InFlight[]) {
  const log: string[] = [];
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => { finish = resolve; });
  let choose: (choice: 'wait' | 'now') => void = () => undefined;
  let ended = (): void => undefined;
  const exited = new Promise<void>((resolve) => { ended = resolve; });
  const quit = createQuit({
    inFlight: () => inFlight,
    stopGateway(graceMs) {
      log.push(`stop ${graceMs}`);
      if (graceMs === 0) finish();
      return finished;
    },
    ask(asked, over) {
      log.push(`ask ${asked.length}`);
      return new Promise((resolve) => {
        choose = resolve;
        over.addEventListener('abort', () => { log.push('dialog gone'); resolve('wait'); });
      });
    },
    close() { log.push('close'); return Promise.resolve(); },
    failed(error) { log.push(String(error)); },
    exit() { log.push('exit'); ended(); },
  });
  return { quit, log, exited, finish: () => { finish(); }, choose: (choice: 'wait' | 'now') => { choose(choice); } };
}

describe('quitting', () => {
  it('asks nothing when nothing runs', async () => {
    const { quit, log, exited, finish } = world([]);
    finish();
    quit.begin({ silent: false });
    await exited;
    expect(log).toEqual([`stop ${QUIT_GRACE_MS}`, 'close', 'exit']);
  });

  it('stops accepting before it asks, and tells only of what does not end by itself', async () => {
    const { quit, log, exited, choose } = world([running('attempting'), running('pausing'), running('answering'), running('queued')]);
    quit.begin({ silent: false });
    expect(log).toEqual([`stop ${QUIT_GRACE_MS}`, 'ask 2']);
    choose('now');
    await exited;
    expect(log.filter((line) => line !== 'dialog gone')).toEqual([`stop ${QUIT_GRACE_MS}`, 'ask 2', 'stop 0', 'close', 'exit']);
  });

  it('waits when told to, and closes only when all has ended', async () => {
    const { quit, log, exited, choose, finish } = world([running('answering')]);
    quit.begin({ silent: false });
    choose('wait');
    await Promise.resolve();
    expect(log).not.toContain('close');
    finish();
    await exited;
    expect(log).not.toContain('stop 0');
    expect(log.at(-1)).toBe('exit');
  });

  it('takes the question away when everything has ended meanwhile', async () => {
    const { quit, log, exited, finish } = world([running('answering')]);
    quit.begin({ silent: false });
    finish();
    await exited;
    expect(log).toEqual([`stop ${QUIT_GRACE_MS}`, 'ask 1', 'dialog gone', 'close', 'exit']);
  });

  it('begins once, and a second signal ends at once', async () => {
    const { quit, log, exited } = world([running('answering')]);
    quit.begin({ silent: true });
    quit.begin({ silent: true });
    quit.hurry();
    await exited;
    expect(log).toEqual([`stop ${QUIT_GRACE_MS}`, 'stop 0', 'close', 'exit']);
  });
});
