// UI "Export what the filter shows"; RFC 4180.
import { describe, expect, it } from 'vitest';
import { exportHead, exportLine } from '../../main/store/export-text.ts';
import { LOG_COLUMNS } from '../../main/store/log-row.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import { answered, exchange, NOON, running } from '../renderer/support/rows.ts';

/** Reads comma-separated values as RFC 4180 has them, and nothing else. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      for (at++; !(text[at] === '"' && text[at + 1] !== '"'); at++) {
        if (at >= text.length) throw new Error('a quote is not closed');
        if (text[at] === '"') at++;
        field += text.charAt(at);
      }
      at++;
    } else {
      while (at < text.length && text[at] !== ',' && text[at] !== '\r') {
        if (text[at] === '"' || text[at] === '\n') throw new Error('a field should stand in quotes');
        field += text.charAt(at++);
      }
    }
    record.push(field);
    if (text[at] === ',') { at++; continue; }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`a record ends with ${JSON.stringify(text.slice(at, at + 2))}`);
    at += 2;
    records.push(record);
    record = [];
  }
  return records;
}

const csvOf = (...rows: readonly ExchangeRow[]) => readCsv([exportHead('csv').slice(1), ...rows.map((row) => exportLine('csv', row))].join(''));

function cellOf(part: Partial<ExchangeRow>, column: keyof ExchangeRow): string | undefined {
  const [head, cells] = csvOf(exchange(part));
  return cells?.[head?.indexOf(column) ?? -1];
}

describe('comma-separated values', () => {
  it('begin with the mark that tells Excel the encoding, and a header of the columns', () => {
    expect(exportHead('csv').charCodeAt(0)).toBe(0xfeff);
    expect(csvOf()).toEqual([LOG_COLUMNS.filter((column) => column !== 'detail')]);
  });

  it('have a cell for each column in each record, empty where nothing is known', () => {
    const records = csvOf(exchange(), running());
    expect(new Set(records.map((record) => record.length))).toEqual(new Set([LOG_COLUMNS.length - 1]));
    expect(cellOf({ cost_micros: null }, 'cost_micros')).toBe('');
    expect(cellOf({ cost_micros: 0 }, 'cost_micros')).toBe('0');
  });

  it('survive commas, quotes and line ends, and any script', () => {
    for (const text of ['a,b', 'she said "no"', 'two\r\nlines', '"', '模型当前过载，请稍后再试', '😀']) expect(cellOf({ error_message: text }, 'error_message')).toBe(text);
  });

  it('tell times that a spreadsheet can read', () => {
    expect(cellOf({ started_at: NOON + 7 }, 'started_at')).toBe('2026-03-14T12:00:00.007Z');
    expect(cellOf({ started_at: Number.MAX_SAFE_INTEGER }, 'started_at')).toBe(String(Number.MAX_SAFE_INTEGER));
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠a', '=HYPERLINK("http://127.0.0.1","x")'])('let no cell be a formula: %j', (text) => {
    expect(cellOf({ model_asked: text }, 'model_asked')).toBe(`'${text}`);
  });

  it('leave numbers alone', () => {
    expect(cellOf({ duration_ms: -1 }, 'duration_ms')).toBe('-1');
    expect(cellOf({ session_id: '5e-7' }, 'session_id')).toBe('5e-7');
  });
});

describe('one object a line', () => {
  it('is the row as it is, with every attempt', () => {
    const row = exchange({ error_message: 'two\nlines "quoted" 过载', detail: { retries: 1, attempts: [answered(), answered({ n: 2 })] } });
    const line = exportLine('ndjson', row);
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(JSON.parse(line)).toEqual(row);
    expect(exportHead('ndjson')).toBe('');
  });
});
