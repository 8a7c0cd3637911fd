import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFirstSteps } from '../../../main/app/first-steps.ts';
import { openMemory } from '../../../main/app/memory.ts';
import type { FirstSteps } from '../../../shared/ipc.ts';
import type { ExchangeRow } from '../../../shared/log.ts';

const warnings: string[] = [];
const log = { info: () => undefined, warn: (message: string) => { warnings.push(message); }, error: () => undefined };
let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'holdfast-memory-')); warnings.length = 0; });
afterEach(() => { rmSync(folder, { recursive: true }); });

describe('what the app remembers', () => {
  it('is there again at the next start', () => {
    const file = join(folder, 'app.json');
    openMemory(file, log).change({ toldAboutTray: true, window: { x: -5, y: 3, width: 1000, height: 700, maximised: true } });
    expect(openMemory(file, log).facts()).toMatchObject({ toldAboutTray: true, copied: false, window: { x: -5, y: 3, width: 1000, height: 700, maximised: true } });
  });

  it.each(['', 'nonsense', '[]', 'null', '{"window":{"x":"left"},"copied":1}'])('counts what cannot be read (%j) as never known', (text) => {
    const file = join(folder, 'app.json');
    writeFileSync(file, text);
    expect(openMemory(file, log).facts()).toEqual({ window: null, toldAboutTray: false, copied: false, requestAnswered: false, stepsDismissed: false });
  });

  it('keeps what is readable beside something that is not', () => {
    const file = join(folder, 'app.json');
    writeFileSync(file, '{"window":{"x":0.5},"copied":true}');
    expect(openMemory(file, log).facts()).toMatchObject({ window: null, copied: true });
  });

  it('stays in force, with a warning, when the disk refuses it', () => {
    writeFileSync(join(folder, 'no-folder'), '');
    const memory = openMemory(join(folder, 'no-folder', 'app.json'), log);
    memory.change({ copied: true });
    expect(memory.facts().copied).toBe(true);
    expect(warnings).toHaveLength(1);
  });
});

describe('first steps', () => {
  const finished = (outcome: ExchangeRow['outcome']) => ({ kind: 'finished', id: 'a', row: { outcome } as ExchangeRow } as const);

  it('tick when it has really happened, once, and survive a start', () => {
    const file = join(folder, 'app.json');
    const told: FirstSteps[] = [];
    const steps = createFirstSteps({ memory: openMemory(file, log), hasUpstream: () => false, changed: (now) => { told.push(now); } });
    steps.note(finished('failed'));
    expect(told).toEqual([]);
    steps.note(finished('success'));
    steps.note(finished('success'));
    steps.copied();
    expect(told).toEqual([
      { upstreamAdded: false, copied: false, requestAnswered: true, dismissed: false },
      { upstreamAdded: false, copied: true, requestAnswered: true, dismissed: false },
    ]);
    const again = createFirstSteps({ memory: openMemory(file, log), hasUpstream: () => true, changed: () => undefined });
    expect(again.get()).toEqual({ upstreamAdded: true, copied: true, requestAnswered: true, dismissed: false });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ requestAnswered: true });
  });
});
