// The columns of the list: chosen, sized, remembered, and laid into the room there is (UI.md, Requests).
import { describe, expect, it } from 'vitest';
import { AS_DESIGNED, chosen, COLUMN_NAMES, fitColumns, isWanted, LEAST_WIDTH, MOST_WIDTH, readChoice, sized } from '../../renderer/requests/column-fit.ts';

/** Room of the list in a window of 900 px, and beside the drawer in one of 1440. */
const SMALL = 772;
const BESIDE_DRAWER = 728;

describe('the columns', () => {
  it('all stand in a large window, but the key, which has to be asked for', () => {
    expect(fitColumns(AS_DESIGNED, 1_160).names).toEqual(COLUMN_NAMES.filter((name) => name !== 'key'));
    expect(fitColumns(chosen(AS_DESIGNED, 'key', true), 1_160).names).toContain('key');
  });

  it.each([SMALL, BESIDE_DRAWER, 500])('fit into %d px: what the drawer tells, too, goes first, and is said to have no room', (width) => {
    const fit = fitColumns(AS_DESIGNED, width);
    expect(fit.leastWidth).toBeLessThanOrEqual(width);
    expect(fit.compact).toBe(true);
    for (const name of ['time', 'model', 'upstream', 'status', 'retries'] as const) expect(fit.names).toContain(name);
    expect([...fit.names, ...fit.noRoom].sort()).toEqual(COLUMN_NAMES.filter((name) => name !== 'key').sort());
  });

  it('give up two at 900 px that the hint of the retries tells', () => {
    expect(fitColumns(AS_DESIGNED, SMALL).noRoom).toEqual(['attempts', 'pause']);
  });

  it('stay when they were asked for: the table scrolls sideways then', () => {
    const all = COLUMN_NAMES.reduce((choice, name) => chosen(choice, name, true), AS_DESIGNED);
    const fit = fitColumns(all, SMALL);
    expect(fit.names).toEqual(COLUMN_NAMES);
    expect(fit.leastWidth).toBeGreaterThan(SMALL);
  });

  it('keep a width that was given, within bounds', () => {
    const choice = sized(AS_DESIGNED, 'model', 301.4);
    expect(fitColumns(choice, 1_400).template).toMatch(/^66px minmax\(84px, 1fr\) 301px minmax/);
    expect([sized(choice, 'model', 1).widths.model, sized(choice, 'model', 9_999).widths.model]).toEqual([LEAST_WIDTH, MOST_WIDTH]);
  });

  it('are remembered as they were, and anything that makes no sense is left out', () => {
    const choice = sized(chosen(chosen(AS_DESIGNED, 'key', true), 'pause', false), 'client', 120);
    expect(readChoice(JSON.stringify(choice))).toEqual(choice);
    for (const broken of [null, '', '{', '3', 'null', '[]', '{"shown":5}']) expect(readChoice(broken)).toEqual(AS_DESIGNED);
    expect(readChoice('{"shown":{"gone":true,"key":"yes","cost":false},"widths":{"time":-4,"model":"1","client":64}}')).toEqual({ shown: { cost: false }, widths: { client: 64 } });
    expect(isWanted(readChoice('{"shown":{"cost":false}}'), 'cost')).toBe(false);
  });
});
