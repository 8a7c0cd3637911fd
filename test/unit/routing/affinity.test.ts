import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leaningOf, withFirst } from '../../../main/gateway/core/routing/affinity.ts';

const a = { upstreamId: 'a', usable: true };
const broken = { upstreamId: 'a', usable: false };

// SPEC 9.5
describe('where an exchange is drawn to', () => {
  it.each([
    ['nothing known', 'prefer', null, null, { kind: 'free' }],
    ['a conversation', 'prefer', null, 'b', { kind: 'prefer', upstreamId: 'b' }],
    ['a conversation, strictly', 'strict', null, 'b', { kind: 'only', upstreamId: 'b' }],
    ['a conversation, turned off', 'off', null, 'b', { kind: 'free' }],
    ['a conversation on an upstream that is not admitted', 'prefer', null, 'z', { kind: 'free' }],
    ['a conversation on an upstream that is not admitted, strictly', 'strict', null, 'z', { kind: 'free' }],
    ['a seal', 'prefer', a, null, { kind: 'only', upstreamId: 'a' }],
    ['a seal, with affinity turned off', 'off', a, null, { kind: 'only', upstreamId: 'a' }],
    ['a seal outranks the conversation', 'strict', a, 'b', { kind: 'only', upstreamId: 'a' }],
    ['a seal whose maker cannot be asked', 'prefer', broken, 'b', { kind: 'sealed_elsewhere', upstreamId: 'a' }],
    ['a seal whose maker cannot be asked, with affinity turned off', 'off', broken, null, { kind: 'sealed_elsewhere', upstreamId: 'a' }],
    ['a seal from where this route does not lead', 'prefer', { upstreamId: 'z', usable: true }, 'b', { kind: 'prefer', upstreamId: 'b' }],
  ] as const)('%s (%s)', (_what, mode, sealedBy, conversationOn, leaning) => {
    expect(leaningOf(['a', 'b', 'c'], { mode, sealedBy, conversationOn })).toEqual(leaning);
  });

  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  it('never to one who is not admitted', () => {
    fc.assert(fc.property(fc.uniqueArray(id), fc.constantFrom('off', 'prefer', 'strict'), fc.option(fc.record({ upstreamId: id, usable: fc.boolean() })), fc.option(id), (admitted, mode, sealedBy, conversationOn) => {
      const leaning = leaningOf(admitted, { mode, sealedBy, conversationOn });
      if (leaning.kind === 'only' || leaning.kind === 'prefer') expect(admitted).toContain(leaning.upstreamId);
      if (leaning.kind === 'sealed_elsewhere') expect(sealedBy?.usable).toBe(false);
      if (sealedBy?.usable === true && admitted.includes(sealedBy.upstreamId)) expect(leaning).toEqual({ kind: 'only', upstreamId: sealedBy.upstreamId });
    }));
  });
  it('whoever goes first, all others stay in their order', () => {
    fc.assert(fc.property(fc.array(fc.record({ upstreamId: id, model: fc.integer() })), id, (candidates, first) => {
      const ordered = withFirst(candidates, first);
      const own = candidates.filter(({ upstreamId }) => upstreamId === first);
      expect(ordered.slice(0, own.length)).toEqual(own);
      expect(ordered.slice(own.length)).toEqual(candidates.filter(({ upstreamId }) => upstreamId !== first));
    }));
  });
});
