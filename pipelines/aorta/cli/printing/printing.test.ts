import { Decimal, type QueryResult, type QueryValue } from '@aorta/connectors';
import { bytes, counted, duration } from '@aorta/runtime/quantity';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { progressLine, progressOn } from './progress.ts';
import { csvLine, printCsv, printJson, printTable } from './query-result.ts';
import { cut, displayWidth, table } from './table.ts';
import { guarded, type Output, styled } from './terminal.ts';

function output(columns?: number): Output & { text: string } {
  return {
    text: '',
    isTerminal: columns !== undefined,
    columns,
    colors: false,
    async write(text) {
      this.text += String(text);
    },
  };
}

function result(columns: readonly [string, string][], batches: readonly (readonly (readonly QueryValue[])[])[]): QueryResult {
  return {
    columns: columns.map(([name, type]) => ({ name, type })),
    rows: (async function* () {
      yield* batches;
    })(),
  };
}

describe('the outputs of a command', () => {
  const written = (text: string | Uint8Array, facts: Partial<Output>): string => {
    const out = Object.assign(output(), facts);
    void guarded({ out, err: out }).out.write(text);
    return out.text;
  };

  it('show control characters of text as escapes, and keep line breaks and the value of JSON', () => {
    expect(written('a\u001b[2J\u009b\u007f\nb\r', {})).toBe('a\\x1b[2J\\u009b\\u007f\nb\\r');
    expect(JSON.parse(written(JSON.stringify('\u001b\u009b\u202e'), {}))).toBe('\u001b\u009b\u202e');
  });

  it('keep bytes, and the sequences that Aorta writes to a terminal', () => {
    expect(written(Buffer.from('a\u001b[2J\u009b'), {})).toBe('a\u001b[2J\u009b');
    const terminal = { isTerminal: true, colors: true };
    const red = styled(Object.assign(output(), terminal), 'red', 'a\u0007');
    expect(written(red, terminal)).toBe('\u001b[31ma\\x07\u001b[39m');
    expect(written('\r10 %\u001b[K', terminal)).toBe('\r10 %\u001b[K');
    expect(written('\u001b[2J\u001b]0;title\u0007', terminal)).toBe('\\x1b[2J\\x1b]0;title\\x07');
    expect(written(red, {})).toBe('\\x1b[31ma\\x07\\x1b[39m');
  });

  it('show bytes on a terminal as lines with escapes, also those that are not UTF-8', () => {
    const csv = 'id,note\r\n1,"\u001b[31m\u001b[2J\u009b5m\u202e\u0007"\r\n2,a\rb\r\n';
    const shown = 'id,note\n1,"\\x1b[31m\\x1b[2J\\x9b5m\\u202e\\x07"\n2,a\\rb\n';
    expect(written(Buffer.from(csv), { isTerminal: true, colors: true })).toBe(shown);
    expect(written(Buffer.from('caf\xe9\n', 'latin1'), { isTerminal: true })).toBe('caf\\xe9\n');
    expect(written(Buffer.from(csv), {})).toBe(csv);
  });

  it('have the width that the terminal has now', () => {
    const out = output(80);
    const { out: shown } = guarded({ out, err: out });
    Object.assign(out, { columns: 40 });
    expect(shown.columns).toBe(40);
  });
});

describe('a table', () => {
  it('has column names, a rule and right-aligned numbers', async () => {
    const out = output();
    await printTable(
      out,
      result(
        [
          ['day', 'DATE'],
          ['steps', 'BIGINT'],
          ['note', 'VARCHAR'],
        ],
        [
          [
            ['2026-03-29', 12345n, 'a\nb'],
            ['2026-03-30', null, ''],
          ],
        ],
      ),
    );
    expect(out.text).toBe(
      ['day         steps  note', '──────────  ─────  ────', '2026-03-29  12345  a\\nb', '2026-03-30      ∅', ''].join('\n'),
    );
  });

  it('has a header even if there are no rows', async () => {
    const out = output();
    await printTable(out, result([['a', 'BIGINT']], []));
    expect(out.text).toBe('a\n─\n');
  });

  it('shrinks its widest columns to fit the terminal', async () => {
    const out = output(30);
    await printTable(
      out,
      result(
        [
          ['id', 'VARCHAR'],
          ['text', 'VARCHAR'],
        ],
        [[['abc', 'x'.repeat(100)]]],
      ),
    );
    for (const line of out.text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(30);
    expect(out.text).toContain('abc ');
    expect(out.text).toContain('x…');
  });

  it('does not cut a column that the user copies', () => {
    const position = 'azure/health-events/3/41';
    const columns = [{ name: 'position', whole: true }, { name: 'reason' }] as const;
    const [, , row] = table(columns, [[position, 'a reason that is long']], 34).split('\n');
    expect(row).toBe(`${position}  a reaso…`);
    expect(table(columns, [[position, 'not_json']], 10)).toContain(`${position}  not…`);
    expect(table(columns.slice(0, 1), [[position]], 10)).toContain(position);
  });

  it('is aligned by the display width of its text', () => {
    expect(displayWidth('e\u0301')).toBe(1);
    expect(displayWidth('心拍')).toBe(4);
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, width) => displayWidth(cut(text, width)) <= width));
  });

  it('shows control characters in values as escapes', () => {
    expect(table([{ name: 'a' }], [['\u001b[2J']])).toContain('\n\\x1b[2J\n');
  });
});

describe('a result as JSON', () => {
  it('is an array with one object per row, and contains all digits of 64-bit integers', async () => {
    const out = output();
    await printJson(
      out,
      result(
        [
          ['a', 'BIGINT'],
          ['b', 'DOUBLE'],
          ['c', 'VARCHAR[]'],
        ],
        [[[9223372036854775807n, 0.1, ['x', null]]], [], [[-1n, null, []]]],
      ),
    );
    expect(out.text).toBe('[\n{"a":9223372036854775807,"b":0.1,"c":["x",null]},\n{"a":-1,"b":null,"c":[]}\n]\n');
    expect(JSON.parse(out.text)).toHaveLength(2);
  });

  it('is an empty array if there are no rows', async () => {
    const out = output();
    await printJson(out, result([['a', 'BIGINT']], [[]]));
    expect(out.text).toBe('[]\n');
  });

  it('contains both columns if two have the same name', async () => {
    const out = output();
    await printJson(
      out,
      result(
        [
          ['id', 'BIGINT'],
          ['id', 'BIGINT'],
          ['id_1', 'BIGINT'],
        ],
        [[[1, 2, 3]]],
      ),
    );
    expect(JSON.parse(out.text)).toEqual([{ id: 1, id_2: 2, id_1: 3 }]);
  });

  it('contains strings for numbers that JSON cannot represent', async () => {
    const out = output();
    await printJson(out, result([['a', 'DOUBLE']], [[[Number.NaN], [Number.POSITIVE_INFINITY]]]));
    expect(JSON.parse(out.text)).toEqual([{ a: 'NaN' }, { a: 'Infinity' }]);
  });
});

describe('decimals', () => {
  const digits = '12345678901234567890.10';
  const decimals = () =>
    result(
      [
        ['a', 'DECIMAL(22,2)'],
        ['b', 'DECIMAL(22,2)[]'],
      ],
      [[[new Decimal(digits), [new Decimal('-0.50')]]]],
    );

  it('have all their digits in JSON, CSV and tables', async () => {
    const outputs = [output(), output(), output()] as const;
    await printJson(outputs[0], decimals());
    await printCsv(outputs[1], decimals());
    await printTable(outputs[2], decimals());
    expect(outputs.map(({ text }) => text.split(/\r?\n/).at(-2))).toEqual([']', `${digits},"[-0.50]"`, `${digits}  [-0.50]`]);
    expect(outputs[0].text).toBe(`[\n{"a":${digits},"b":[-0.50]}\n]\n`);
  });

  it('are aligned to the right in a table of either warehouse', async () => {
    for (const type of ['DECIMAL(3,1)', 'NUMERIC', 'BIGNUMERIC']) {
      const out = output();
      await printTable(out, result([['number', type]], [[[new Decimal('1.5')]]]));
      expect(out.text).toContain('\n   1.5\n');
    }
  });

  it('are JSON numbers, so other texts are refused', () => {
    for (const text of ['', 'NaN', '.5', '1,5', '"1"', '01', '1.5 ']) expect(() => new Decimal(text)).toThrow(RangeError);
  });
});

describe('CSV', () => {
  it('quotes fields according to RFC 4180', () => {
    expect(csvLine(['a,b', 'say "x"', 'two\r\nlines', '', null, 1n, true, { a: 1n }])).toBe(
      '"a,b","say ""x""","two\r\nlines","",,1,true,"{""a"":1}"\r\n',
    );
  });

  it('starts with a line of column names', async () => {
    const out = output();
    await printCsv(
      out,
      result(
        [
          ['a', 'BIGINT'],
          ['b"', 'BIGINT'],
        ],
        [[[1, 2]]],
      ),
    );
    expect(out.text).toBe('a,"b"""\r\n1,2\r\n');
  });

  it('can be parsed back into the same values', () => {
    const parse = (line: string) =>
      [...line.slice(0, -2).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare,
      );
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ') }), { minLength: 1 }), (values) => {
        expect(parse(csvLine(values))).toEqual(values);
      }),
    );
  });
});

describe('the progress display', () => {
  it('shows a bar, a rate and the remaining time, and fits the given width', () => {
    const line = progressLine(
      { label: 'Loading', unit: 'bytes' },
      { done: 5_000_000, total: 10_000_000, note: '1,200 records' },
      2000,
      100,
    );
    expect(line).toBe('███████████████░░░░░░░░░░░░░░░  Loading  5 MB of 10 MB  2.5 MB/s  1,200 records  2 s left');
    for (const width of [5, 20, 40])
      expect(progressLine({ label: 'Loading', unit: 'bytes' }, { done: 1, total: 3 }, 100, width).length).toBeLessThanOrEqual(
        width,
      );
  });

  it('prints a line per interval if there is no terminal', () => {
    let time = 0;
    const lines = output();
    const progress = progressOn(lines, { label: 'Loading', unit: 'records', lineEvery: 1000, now: () => time });
    for (time = 0; time <= 2500; time += 100) progress.advance({ done: time });
    progress.end();
    expect(lines.text.split('\n')).toHaveLength(3);
    const silent = output();
    progressOn(silent, { label: 'Loading', unit: 'records' }).advance({ done: 1 });
    expect(silent.text).toBe('');
  });

  it('removes its bar when the task ends', () => {
    const out = output(60);
    const progress = progressOn(out, { label: 'Loading', unit: 'records' });
    progress.advance({ done: 1, total: 2 });
    progress.end();
    expect(out.text.endsWith('\r\u001b[K')).toBe(true);
  });
});

it('bytes, durations and counts are formatted with their units', () => {
  expect([bytes(0), bytes(999), bytes(1000), bytes(999_950), bytes(12_345_678)]).toEqual([
    '0 B',
    '999 B',
    '1 kB',
    '1 MB',
    '12.3 MB',
  ]);
  expect([
    duration(850),
    duration(12_300),
    duration(59_990),
    duration(250_000),
    duration(12_000_000),
    duration(180_000_000),
  ]).toEqual(['850 ms', '12.3 s', '1 min 0 s', '4 min 10 s', '3 h 20 min', '2 d 2 h']);
  expect([counted(1, 'row'), counted(1200, 'row'), counted(2, 'dead letter')]).toEqual(['1 row', '1,200 rows', '2 dead letters']);
});
