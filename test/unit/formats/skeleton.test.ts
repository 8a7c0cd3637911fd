import { describe, expect, it } from 'vitest';
import { createSkeleton } from '../../../main/gateway/core/formats/skeleton.ts';
import { byteByByte } from '../../support/cuts.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
function skeletonOf(chunks: readonly Uint8Array[]): string | null {
  const skeleton = createSkeleton();
  for (const chunk of chunks) skeleton.push(chunk);
  return skeleton.text();
}

describe('the skeleton of an event', () => {
  it('is the event itself when no text in it is long', () => {
    const text = 'event: x\r\ndata: {"a":"b\\"\\\\ \\u0041","n":[1,true,null]}\n\n';
    expect(skeletonOf([bytesOf(text)])).toBe(text);
    expect(skeletonOf(byteByByte(bytesOf(text)))).toBe(text);
  });

  it('is JSON wherever a long text is cut, never inside an escape', () => {
    for (let lead = 240; lead < 270; lead += 1) {
      for (const escape of ['\\u0041', '\\"', '\\\\', '\\n', '世', '\\ud83d\\ude00']) {
        const text = `{"long":"${'x'.repeat(lead)}${escape.repeat(40)}","after":"kept"}`;
        const cut = skeletonOf([bytesOf(text)]);
        expect(JSON.parse(cut!)).toMatchObject({ after: 'kept' });
        expect(cut!.length).toBeLessThan(320);
        expect(skeletonOf(byteByByte(bytesOf(text)))).toBe(cut);
      }
    }
  });

  it('recovers at the next line from a stray quote in a comment', () => {
    const text = `: say "\ndata: {"long":"${'x'.repeat(5_000)}","after":"kept"}\n`;
    expect(JSON.parse(skeletonOf([bytesOf(text)])!.split('data: ')[1]!)).toMatchObject({ after: 'kept' });
    expect(skeletonOf([bytesOf(`: "${'x'.repeat(5_000)}\r\ndata: {}\n`)])).toContain('\r\ndata: {}\n');
  });

  it('gives up, not memory, when even the short texts are too many', () => {
    expect(skeletonOf([bytesOf(`[${'"a",'.repeat(300_000)}"b"]`)])).toBeNull();
  });

  it('is the same wherever a text with quotes, escapes and line ends behind its cut is divided', () => {
    const long = `${'x'.repeat(300)}\\"${'y'.repeat(50)}\\u00e9${'z'.repeat(50)}`;
    const text = bytesOf(`{"a":"${long}","b":"${long}${'w'.repeat(20)}\r\n","c":"${long}"}\n`);
    const whole = skeletonOf([text]);
    expect(whole!.length).toBeLessThan(text.length - 200);
    for (let at = 1; at < text.length; at += 1) expect(skeletonOf([text.subarray(0, at), text.subarray(at)])).toBe(whole);
  });
});
