import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partitionOf, privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { openLocalLog } from '@aorta/connectors/log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../pipelines/aorta/catalogues.ts';
import { at, type BadInput, badInputs, documented, exitCodes, planted } from './bad-input.cases.ts';
import { aorta, codesOf, type Report, type Said, sum } from './command-line.ts';

/** Loads bad input files with the command line. */

const root = mkdtempSync(join(tmpdir(), 'aorta-bad-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Reasons for parts that are still in the record, and so are no dead letters. */
const inRecord = ['value_does_not_fit', 'sample_key_repeated'];
const place = ['--warehouse', 'duckdb:w.duckdb'];
const empty = join(root, 'empty.duckdb');
let folders = 0;

beforeAll(async () => {
  const settings = { ...duckDbOptions.parse({ type: 'duckdb', path: empty }), privacy: privacyOptions.parse({}) };
  await (await openDuckDbWarehouse(settings)).close();
});

/** Makes a folder with an empty warehouse. It is copied, because creating all tables and views takes longer than most loads. */
function folderFor(configuration = ''): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  copyFileSync(empty, join(folder, 'w.duckdb'));
  writeFileSync(join(folder, 'aorta.yaml'), `${configuration}\n`);
  return folder;
}

/** Expects that the counts add up. `repeats`: number of deliveries with a receipt that was read before. */
function expectWhole(report: Report, repeats = 0): void {
  expect(report.received).toBe(report.redelivered + sum(report.streams) + report.unrouted + sum(report.dead_letters));
  // The report lists only tables with rows.
  expect(report.tables.deliveries ?? 0).toBe(report.received - repeats);
}

/** Expects two lines for each error: the problem with its code, and the remedy. */
function expectSentences(said: Said): void {
  const lines = said.err.split('\n').slice(0, -1);
  for (const [index, line] of lines.entries())
    expect(line).toMatch(index % 2 === 0 ? /^aorta: .* \[AORTA-[A-Z-]+\]$/ : /^ {2}\S.*\.$|^ {2}A delivery line is/);
  for (const code of codesOf(said)) expect(errorCatalogue).toHaveProperty(code);
  expect(said.err + said.out).not.toContain(planted);
}

describe('a bad file', () => {
  test.each(badInputs)('a load has the documented exit code and report: $name', async (input: BadInput) => {
    const { content, modified, configuration, kept = {}, dead = {}, parts = {}, ahead, says, holds } = input;
    const folder = folderFor(configuration);
    writeFileSync(join(folder, 'input'), content);
    if (modified !== undefined) utimesSync(join(folder, 'input'), new Date(modified), new Date(modified));
    const words = ['load', 'input', '--json', ...(modified === undefined ? ['--received-at', at] : []), ...place];
    const said = await aorta(folder, [...words, '--strict']);
    expectSentences(said);
    expect({ code: said.code, says: codesOf(said) }).toEqual({
      code: exitCodes(input)[1],
      says: says === undefined ? [] : [says],
    });
    const report = JSON.parse(said.out) as Report;
    expectWhole(report);
    const { unrouted = 0, ...streams } = kept;
    expect(report).toMatchObject({ streams, unrouted, dead_letters: dead, partial: parts });
    expect(report.received_ahead).toBe(ahead);

    if (holds !== undefined) {
      const answer = await aorta(folder, ['query', holds[0], '--json', ...place]);
      expect(answer).toMatchObject({ code: 0 });
      expect(Object.values(JSON.parse(answer.out)[0])).toEqual([holds[1]]);
    }
    const reasons = [...Object.keys(dead), ...Object.keys(parts)].filter((reason) => !inRecord.includes(reason));
    if (reasons.length > 0) {
      const list = await aorta(folder, ['dlq', 'list', '--json', ...place]);
      expect(new Set((JSON.parse(list.out) as { reason: string }[]).map(({ reason }) => reason))).toEqual(
        new Set(reasons.slice(0, 1)),
      );
      expect(list.out + list.err).not.toContain(planted);
    }
  });
});

test('if a folder contains a good file among the bad files, a load still stores the events of the good file', async () => {
  const good = `{"event_type":"daily.data.sleep.created","user_id":"u-2","data":{"id":"s-1","source":{"provider":"oura"}}}`;
  const folder = folderFor('limits: { document_bytes: 1000000, body_bytes: 1000000 }');
  const inputs = badInputs.filter(({ configuration }) => configuration === undefined);
  mkdirSync(join(folder, 'in'));
  for (const [index, { content }] of inputs.entries()) writeFileSync(join(folder, 'in', String(100 + index)), content);
  writeFileSync(join(folder, 'in', '999-good.json'), good);
  const said = await aorta(folder, ['load', 'in', '--json', '--received-at', at, ...place]);
  expectSentences({ ...said, err: said.err.replace(/^and \d+ more problems?\.\n/m, '') });
  expect(said.code).toBe(1);
  const report = JSON.parse(said.out) as Report;
  // Four events have the receipt of another event, because the readable content of their files is the same.
  expectWhole(report, 4);
  expect(report.streams.sleep).toBe(1);
  const wanted: Record<string, number> = {};
  for (const { dead = {} } of inputs)
    for (const [reason, count] of Object.entries(dead)) wanted[reason] = (wanted[reason] ?? 0) + count;
  expect(report.dead_letters).toEqual(wanted);

  // A second load changes nothing.
  const again = await aorta(folder, ['load', 'in', '--json', '--received-at', at, ...place]);
  expect(JSON.parse(again.out)).toEqual(report);
  // Every table can be printed in every format.
  for (const table of ['activity', 'timeseries', 'deliveries'])
    for (const form of [[], ['--json'], ['--csv']])
      expect((await aorta(folder, ['query', `select * from ${table}`, ...form, ...place])).code).toBe(0);
});

test('a header named __proto__ is read back from the stream unchanged', async () => {
  const folder = folderFor();
  const input = badInputs.find(({ name }) => name === 'A header called `__proto__`')!;
  writeFileSync(join(folder, 'input'), input.content);
  await aorta(folder, ['load', 'input', '--json', ...place]);
  const log = await openLocalLog({ folder: join(folder, 'w.duckdb.streams'), readOnly: true });
  const { records } = await log.read(partitionOf('unrouted'), 0, { records: 1, bytes: 1 });
  await log.close();
  expect(Object.entries(records[0]!.headers)).toEqual([['__proto__', Buffer.from('kept')]]);
});

test('the table in the guide lists every bad input file', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/bad-input.md'), 'utf8');
  const rows = guide.split('\n').filter((line) => /^\| (?!input |-)/.test(line));
  const cells = (row: string): string[] => row.split('|').map((cell) => cell.trim());
  expect(rows.map(cells)).toEqual(badInputs.map(documented).map(cells));
});
