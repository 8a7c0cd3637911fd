import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanRequest } from '../../../main/gateway/core/formats/json-scan.ts';
import type { RequestScan } from '../../../main/gateway/core/wire-format.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const scan = (text: string) => scanRequest(bytesOf(text));
const scanned = (text: string): RequestScan => {
  const result = scan(text);
  if ('fault' in result) throw new Error(result.fault);
  return result;
};
const spanText = (text: string) => {
  const { modelSpan } = scanned(text);
  return modelSpan && new TextDecoder().decode(bytesOf(text).subarray(modelSpan.startByte, modelSpan.endByte));
};

describe('what is read of a request', () => {
  it('finds model, stream and cache key at the top level, and the bytes of the model with its quotes', () => {
    const body = '{ "model" : "m-test" ,"stream":true,\r\n\t"prompt_cache_key":"k1","messages":[{"model":"inner","stream":false}]}';
    expect(scan(body)).toEqual({ model: 'm-test', modelSpan: { startByte: 12, endByte: 20 }, stream: true, cacheKey: 'k1' });
    expect(spanText(body)).toBe('"m-test"');
  });

  it('sees no member inside nested values or texts', () => {
    expect(scanned(String.raw`{"a":{"model":"x","stream":true},"b":"\",\"model\":\"y\"","c":[{"stream":true}]}`)).toEqual({ model: null, modelSpan: null, stream: false, cacheKey: null });
  });

  it('takes a name for what it means, however its letters are written', () => {
    expect(scanned(String.raw`{"\u006dodel":"m","str\u0065am":true,"\u0070\u0072\u006f\u006d\u0070\u0074\u005f\u0063\u0061\u0063\u0068\u0065\u005f\u006b\u0065\u0079":"k"}`))
      .toMatchObject({ model: 'm', stream: true, cacheKey: 'k' });
  });

  it('reads escapes and other scripts in the model, and tells its bytes, not its letters', () => {
    const body = String.raw`{"x":"世界","model":"\u6a21型 \"a\"\\"}`;
    expect(scanned(body).model).toBe('模型 "a"\\');
    expect(spanText(body)).toBe(String.raw`"\u6a21型 \"a\"\\"`);
  });

  it('lets the last of equal names win, as every parser does, also when the last one is no text', () => {
    expect(scanned('{"model":"a","stream":true,"model":"b","stream":false}')).toMatchObject({ model: 'b', stream: false });
    expect(scanned('{"model":"a","model":null}')).toMatchObject({ model: null, modelSpan: null });
  });

  it('takes only the literal true for a stream, and only a text for a model', () => {
    for (const value of ['false', 'null', '1', '"true"', '{}', '[true]']) expect(scanned(`{"stream":${value},"model":7}`)).toMatchObject({ stream: false, model: null });
  });

  it('takes the empty object, blanks around it, and views into a larger buffer', () => {
    expect(scanned(' \n{ } \r\n')).toEqual({ model: null, modelSpan: null, stream: false, cacheKey: null });
    const larger = bytesOf('xxxxx{"model":"m"}yyyyy');
    expect(scanRequest(larger.subarray(5, 18))).toMatchObject({ model: 'm', modelSpan: { startByte: 9, endByte: 12 } });
  });
});

describe('what is no JSON object', () => {
  // SPEC 1.6
  it.each([
    '', '   ', 'null', '[]', '"model"', '7', '{', '{"model"', '{"model":', '{"model":"m"', '{"model":"m",}', '{"model" "m"}', '{model:"m"}', "{'model':'m'}", '{"a":1,,"b":2}', '{,}',
    '{"a":01}', '{"a":1.}', '{"a":.5}', '{"a":+1}', '{"a":1e}', '{"a":-}', '{"a":NaN}', '{"a":tru}', '{"a":truex}', '{"a":nul}', '{"a":[1,]}', '{"a":[1}', '{"a":{"b":1]}', '{"a":[}', '{"a":]', '{"a":{"b":1,2}}', '{"a":{"b":1,}}', '{"a":{1}}', '{"a":{"b"}}', '{"a":{"b":}}', '{"a":[{"b":1,[]}]}',
    '{"a":"\u0001"}', '{"a":"line\nbreak"}', String.raw`{"a":"\x"}`, String.raw`{"a":"\u12g4"}`, String.raw`{"a":"\u12"}`, String.raw`{"a":"\"}`, '{"a":"open}', '{} {}', '{}x', '{"a":1}]', '<html>', 'data: {}',
  ])('refuses %j', (text) => {
    const result = scan(text);
    expect(result).toHaveProperty('fault');
    expect('fault' in result && result.fault).toMatch(/empty|byte \d+/);
  });

  it('says where it stopped', () => {
    expect(scan('{"a":1 "b":2}')).toEqual({ fault: 'byte 7 does not belong there' });
    expect(scan('{"a":[1,2')).toEqual({ fault: 'it ends too early, at byte 9' });
    expect(scan('{}\n{}')).toEqual({ fault: 'something follows the object at byte 3' });
  });
});

describe('hostile bodies', () => {
  it('walks through a million levels without a stack', () => {
    const depth = 1_000_000;
    expect(scanned(`{"a":${'['.repeat(depth)}${']'.repeat(depth)},"model":"m"}`).model).toBe('m');
    expect(scan(`{"a":${'{"a":'.repeat(depth)}`)).toHaveProperty('fault');
  });

  it('passes over names and texts of megabytes', () => {
    const long = 'model'.repeat(400_000);
    expect(scanned(`{"${long}":"${long}","model":"m"}`).model).toBe('m');
    expect(scanned(`{"a":"${String.raw`\"\\\n\u0041`.repeat(100_000)}","model":"m"}`).model).toBe('m');
  });

  // Seen to fail when the walk over four bytes ignored a quote in the last of them, and when it read past the end.
  it('agrees with JSON.parse on any JSON, and on any JSON with one byte changed', () => {
    const known = fc.record({ model: fc.oneof(fc.string(), fc.constant(null), fc.integer()), stream: fc.oneof(fc.boolean(), fc.string()), prompt_cache_key: fc.string(), other: fc.jsonValue() }, { requiredKeys: [] });
    fc.assert(fc.property(known, fc.nat(4), fc.nat(), fc.integer({ min: 0, max: 127 }), (value, indent, position, byte) => {
      const text = JSON.stringify(value, null, indent);
      expect(scan(text)).toMatchObject({
        model: typeof value.model === 'string' ? value.model : null, stream: value.stream === true, cacheKey: value.prompt_cache_key ?? null,
      });
      const changed = bytesOf(text);
      changed[position % changed.length] = byte;
      expect('fault' in scanRequest(changed)).toBe(!isObject(new TextDecoder().decode(changed)));
    }), { numRuns: 2_000 });
  });
});

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
