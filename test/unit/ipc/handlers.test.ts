// SPEC 2.3: no secret comes to the window, copying happens in main.
import { describe, expect, it } from 'vitest';
import { copy, type HandlerParts } from '../../../main/ipc/handlers.ts';
import type { GatewayState } from '../../../shared/events.ts';

const running: GatewayState = { status: 'running', url: 'http://127.0.0.1:4653', port: 4653, problem: null };

function parts(state: GatewayState) {
  const clipboard: string[] = [];
  let copied = 0;
  return {
    clipboard,
    copied: () => copied,
    given: {
      store: { keys: { valueOf: (id: string) => (id === 'k1' ? 'hf-secret' : null) } } as unknown as HandlerParts['store'],
      gateway: { state: () => state } as unknown as HandlerParts['gateway'],
      steps: { get: () => { throw new Error('not asked'); }, copied: () => { copied++; }, dismiss: () => undefined },
      writeClipboard: (text: string) => { clipboard.push(text); },
    },
  };
}

describe('copying', () => {
  it('takes the address and the key from main and ticks the step', () => {
    const { clipboard, copied, given } = parts(running);
    expect(copy(given, { what: 'address' })).toBe(true);
    expect(copy(given, { what: 'key', id: 'k1' })).toBe(true);
    expect(clipboard).toEqual(['http://127.0.0.1:4653', 'hf-secret']);
    expect(copied()).toBe(2);
  });

  it('leaves the clipboard alone when there is nothing to copy', () => {
    const { clipboard, copied, given } = parts({ status: 'stopped' });
    expect(copy(given, { what: 'address' })).toBe(false);
    expect(copy(given, { what: 'key', id: 'gone' })).toBe(false);
    expect(clipboard).toEqual([]);
    expect(copied()).toBe(0);
  });

  it('of any other text is no first step', () => {
    const { copied, given } = parts(running);
    expect(copy(given, { what: 'text', text: 'abc' })).toBe(true);
    expect(copied()).toBe(0);
  });
});
