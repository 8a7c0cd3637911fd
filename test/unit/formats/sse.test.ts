import { describe, expect, it } from 'vitest';
import { readSseFields } from '../../../main/gateway/core/formats/sse.ts';

// SPEC 5.3, wire formats 2
describe('the fields of an event', () => {
  it.each([
    ['data: a\n\n', { name: null, data: 'a' }], ['data:a\n\n', { name: null, data: 'a' }], ['data:  a \n\n', { name: null, data: ' a ' }], ['data\n\n', { name: null, data: '' }], ['data:\n\n', { name: null, data: '' }],
    ['data: a\ndata: b\r\ndata:c\rdata\n\n', { name: null, data: 'a\nb\nc\n' }], ['event: x\ndata: a\n\n', { name: 'x', data: 'a' }], ['event:x\nevent: y\ndata: a', { name: 'y', data: 'a' }],
    [': comment\ndata: a\n: another\ndata: b\n\n', { name: null, data: 'a\nb' }], ['id: 1\nretry: 5\n\n', { name: null, data: null }], [': only\n\n', { name: null, data: null }], ['', { name: null, data: null }],
    ['database: a\ndatadata: b\neventual: c\n\n', { name: null, data: null }], [' data: a\n\n', { name: null, data: null }], ['Data: a\n\n', { name: null, data: null }], ['data: a:b: c\n\n', { name: null, data: 'a:b: c' }],
  ])('of %j', (block, fields) => {
    expect(readSseFields(block)).toEqual(fields);
  });
});
