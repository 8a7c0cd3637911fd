import { describe, expect, it } from 'vitest';
import { chainText } from '../../../main/gateway/core/retry/kept.ts';

const links = (text: string) => text.split(' ').map((link) => ({ upstream: link.slice(0, 1), what: link.slice(1) }));

describe('the chain of attempts in one line (SPEC 10.4)', () => {
  it.each([
    ['a503', null],
    ['a503 a503', 'a 503 x2'],
    ['a503 brefused a503 a503', 'a 503, b refused, a 503 x2'],
    ['a1 b2 a3 b4 a5 b6 a7 b8', 'a 1, b 2, a 3, b 4, a 5, b 6, a 7, b 8'],
    ['a1 b2 a3 b4 a5 b6 a7 b8 a9', 'a 1, b 2, a 3, b 4, 2 more, a 7, b 8, a 9'],
  ])('%s: %s', (attempts, text) => {
    expect(chainText(links(attempts))).toBe(text);
  });
  it('stays one short line through the longest outage', () => {
    const chain = chainText(Array.from({ length: 1_000 }, (_, index) => ({ upstream: index % 2 === 0 ? 'a' : 'b', what: '503' })));
    expect(chain).toBe('a 503, b 503, a 503, b 503, 993 more, b 503, a 503, b 503');
  });
});
