import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { partitionOf } from '@aorta/connectors';
import { DuckDbError } from '@aorta/connectors/duckdb';
import { openLocalLog } from '@aorta/connectors/log';
import { AortaError, Progress, silentLogger } from '@aorta/runtime';
import type { StreamRecords } from '@aorta/schemas';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseConfiguration } from '../config/configuration.ts';
import { configurationReference, editorSchema } from '../config/reference.ts';
import { cliReference } from '../reference/cli.ts';
import { keepWorkerReport } from '../report/worker-report.ts';
import { run } from './command-line.ts';
import { plainCall } from './printing/command-lines.ts';
import { printError } from './printing/errors.ts';
import { keptOutput } from './printing/output.fixture.ts';
import type { Surroundings } from './surroundings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function aorta(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err] = [keptOutput(), keptOutput()];
  const surroundings: Surroundings = {
    terminal: { out, err },
    environment: {},
    folder,
    input: Readable.from([]),
    stopRequest: () => ({ signal: new AbortController().signal, cause: undefined, [Symbol.dispose]: () => {} }),
  };
  const code = await run(words, surroundings);
  return { code, out: out.text, err: err.text };
}

describe('wrong usage', () => {
  it.each([
    [['qery'], /unknown command 'qery'.*\n {2}Did you mean query\? See aorta --help\./],
    [['query'], /missing required argument 'sql'.*\n {2}See aorta query --help\./],
    [['query', 'select', '1'], /too many arguments.*\n {2}Put the whole statement in quotes/],
    [['query', '-'], /standard input contains no statement/],
    [['query', 'select 1', '--jsn'], /unknown option '--jsn'.*\n {2}Did you mean --json\?/],
    [['query', 'select 1', '--json', '--csv'], /cannot be used with option '--csv'/],
    [['query', 'select 1'], /There is no warehouse at .*aorta-data\/warehouse\.duckdb yet/],
    [['query', 'select 1', '--warehouse', 'a.duckdb'], /\n {2}Write --warehouse duckdb:a\.duckdb/],
    [['load', ''], /a path is empty/],
    [['load', 'none.json'], /The file or folder none\.json does not exist/],
    [['query', 'select 1', '--warehouse', 'duckdb:s3://bucket/x'], /not in a bucket, in MotherDuck or in memory/],
    [['load', 'none.json', '--received-at', 'noon'], /--received-at needs a time as RFC 3339/],
    [['run'], /there is no aorta\.yaml here/],
    [['dev', 'event-hubs', '--hub', 'daily'], /--hub needs a name and a number of partitions/],
    [['dev', 'event-hubs', '--hub', 'daily:0'], /daily must have 1 to 2048 partitions/],
    [['dev', 'event-hubs', '--hub', '../up:1'], /is not a valid hub name/],
    [['dev', 'event-hubs', '--port', '70000'], /--port needs a whole number/],
    [['dev', 'kafka', '--topic', 'daily'], /--topic needs a name .* and a number of partitions/],
    [['dev', 'kafka', '--topic', 'a/b:1'], /--topic needs a name .*\n {2}Write --topic health-events:4\./],
    [['dev', 'kafka', '--topic', 'daily:0'], /number of partitions, 1 to 9999/],
    [['run', '--only', 'half'], /Allowed choices are ingestion, enrichment, loading/],
    [['streams'], /There are no streams at/],
    [['tail', 'timeserie'], /there is no stream timeserie.*\n {2}Did you mean timeseries\?/],
    [['tail', '-n', '-1'], /-n needs a whole number.*\n {2}Give 0 to 100000\./],
    [['dlq', 'list', '--reason', 'notjson'], /there is no dead-letter reason notjson.*\n {2}Did you mean not_json\?/],
    [['schema', 'slep'], /there is no stream, table or view slep.*\n {2}Did you mean sleep\?/],
    [['schema', 'days'], /there is no stream, table or view days.*\n {2}Did you mean --group days\?/],
    [['schema', 'person_day'], /there is no stream, table or view person_day.*\n {2}Did you mean person_days\?/],
    [['backfill', '--user', 'u', '--from', '2026-02-30'], /--from needs a date/],
    [['backfill', '--user', ' ', '--from', '2026-01-01'], /--user needs an id/],
    [['backfill', '--user', 'u', '--from', '2026-01-02', '--to', '2026-01-01'], /--from is after --to/],
    [
      ['backfill', '--user', 'u', '--from', '2026-01-01', '--resource', 'sleeep'],
      /Did you mean sleep\? The resources are profile/,
    ],
    [['backfill', '--user', 'u', '--from', '2026-01-01'], /has no settings of the service/],
    [['demo', '--people', 'many'], /--people needs a whole number/],
    [['validate', '--config', 'none.yaml'], /There is no configuration file none\.yaml/],
  ])('%j exits with code 2 and prints the problem', async (words, sentence) => {
    const { code, out, err } = await aorta(...words);
    expect(err).toMatch(sentence);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).not.toMatch(/^\s+at /m);
  });

  it('a memory limit that is too small for the warehouse is refused', async () => {
    for (const memory of ['191MB', '183 MiB', '0GB']) {
      writeFileSync(join(folder, 'aorta.yaml'), `warehouse: { type: duckdb, memory: ${memory} }\n`);
      const { code, err } = await aorta('validate');
      expect(err).toContain(
        'aorta.yaml:1: warehouse.memory: this is less than 192MB. [AORTA-CONFIG-INVALID]\n  DuckDB’s memory limit,',
      );
      expect(code).toBe(2);
    }
    for (const memory of ['192MB', '184MiB', '1GB']) {
      writeFileSync(join(folder, 'aorta.yaml'), `warehouse: { type: duckdb, memory: ${memory} }\n`);
      expect((await aorta('validate')).code).toBe(0);
    }
  });

  it.each([[['validate']], [['status']], [['status', '--cost']]])(
    '%j --json prints the problems of an invalid configuration as JSON',
    async (words) => {
      writeFileSync(join(folder, 'aorta.yaml'), 'log: { level: loud }\nwarehouse: { type: duckdb, memory: much }\n');
      const { code, out, err } = await aorta(...words, '--json');
      expect(code).toBe(2);
      expect(err).toContain('aorta.yaml:1: log.level');
      const { valid, problems } = JSON.parse(out);
      expect(valid).toBe(false);
      expect(problems).toMatchObject([
        { code: 'AORTA-CONFIG-INVALID', file: 'aorta.yaml', line: 1, column: null, field: 'log.level' },
        { code: 'AORTA-CONFIG-INVALID', file: 'aorta.yaml', line: 2, column: null, field: 'warehouse.memory' },
      ]);
      expect(problems[0].message).toBe('aorta.yaml:1: log.level: this is not one of the accepted values.');
      expect(problems[0].remedy).toContain('The accepted values are ');

      writeFileSync(join(folder, 'aorta.yaml'), 'log: { level: info }\nsources: [{ type: files }\nstreams: {}\n');
      const syntax = JSON.parse((await aorta(...words, '--json')).out);
      expect(syntax.problems).toMatchObject([{ code: 'AORTA-CONFIG-SYNTAX', line: 2, column: 10, field: null }]);
      const missing = JSON.parse((await aorta(...words, '--json', '--config', 'none.yaml')).out);
      expect(missing.problems).toMatchObject([{ code: 'AORTA-CONFIG-NOT-FOUND', file: 'none.yaml', line: null }]);
    },
  );

  it('`validate` prints all problems with a configuration at once', async () => {
    writeFileSync(join(folder, 'aorta.yaml'), 'log: { level: loud }\nwarehouse: { type: duckdb, memory: much }\n');
    const { code, err } = await aorta('validate');
    expect(code).toBe(2);
    expect(err).toContain('aorta.yaml:1: log.level: this is not one of the accepted values.');
    expect(err).toContain(
      'aorta.yaml:2: warehouse.memory: this is not in the expected format. [AORTA-CONFIG-INVALID]\n  DuckDB’s memory limit, such as 512MB. Merges need at least 192MB.',
    );
    expect(err).toContain('2 problems in the configuration.');
  });
});

describe('commands that need no data', () => {
  it('print help to standard output', async () => {
    const { code, out, err } = await aorta('load', '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Examples:\n  $ aorta load');
  });

  it('`validate` prints the settings in effect', async () => {
    const { out } = await aorta('validate', '--json');
    expect(JSON.parse(out)).toEqual({
      valid: true,
      file: null,
      sources: [],
      streams: { type: 'local', folder: join(folder, 'aorta-data/streams') },
      warehouse: { type: 'duckdb', path: join(folder, 'aorta-data/warehouse.duckdb') },
      privacy: { identifiers: false, patients: false, free_text: true, location: true },
    });
  });

  it('`schema` prints which columns are withheld and why', async () => {
    const { out } = await aorta('schema', 'activity', '--json');
    const { columns } = JSON.parse(out);
    for (const column of columns) expect(column.landed).toBe(column.withheld === null);
    expect(columns.find(({ name }: { name: string }) => name === 'distance_m')).toMatchObject({
      unit: 'm',
      class: 'measure',
      source: '$.data.distance',
    });
  });

  it.each([
    ['', { external_user_id: 'privacy.identifiers is off', message: null, extra: 'it may hold identifiers, which are not' }],
    ['{ identifiers: true }', { external_user_id: null, message: null, extra: null }],
    [
      '{ free_text: false, location: false }',
      {
        external_user_id: 'privacy.identifiers is off',
        message: 'privacy.free_text is off',
        extra: 'it may hold identifiers or free text, which are not',
      },
    ],
  ])('`schema` applies the configured privacy settings: %s', async (privacy, withheld) => {
    writeFileSync(join(folder, 'aorta.yaml'), privacy === '' ? '' : `privacy: ${privacy}\n`);
    const { out } = await aorta('schema', 'connections', '--json');
    const { columns } = JSON.parse(out) as { columns: { name: string; withheld: string | null }[] };
    const said = Object.fromEntries(columns.map((column) => [column.name, column.withheld]));
    expect(said).toMatchObject(withheld);
    expect(said.user_id).toBeNull();
  });

  it('`schema` describes a view and its columns', async () => {
    const { out } = await aorta('schema', 'heartrate');
    expect(out).toMatch(/^view heartrate\nThe samples of the resource heartrate\.\n\ncolumn +type +unit +description\n/);
    expect(out).toMatch(/^heartrate_bpm +float64 +bpm +The value in the declared unit; NULL if/m);
    const json = JSON.parse((await aorta('schema', 'connections', '--json')).out);
    expect(json).toMatchObject({ stream: 'connections', table: 'connection_events' });
    expect(json.view_of_this_name).toMatchObject({
      view: 'connections',
      columns: expect.arrayContaining([{ name: 'user_id', type: 'string', unit: null, what: "The service's id of the user." }]),
    });
  });

  it('`schema --group` lists the tables and views of one group, and those that build on others first', async () => {
    const { out } = await aorta('schema', '--group', 'days');
    expect(out).toMatch(/^days\n/);
    expect(out).toMatch(/people +One person: .*person_days +One local date .*metric_days +One measure/s);
    expect(out).not.toContain('lab_orders');
    const names = async (group: string): Promise<string[]> =>
      JSON.parse((await aorta('schema', '--group', group, '--json')).out).map(({ name }: { name: string }) => name);
    const all = (await Promise.all(['days', 'samples', 'summaries', 'labs', 'operations'].map(names))).flat();
    expect(new Set(all).size).toBe(all.length);
    const everything = JSON.parse((await aorta('schema', '--json')).out) as { table?: string | null; view?: string }[];
    const listed = everything.flatMap(({ table, view }) => table ?? view ?? []);
    expect(all.toSorted()).toEqual([...new Set(listed)].toSorted());
    expect((await aorta('schema', 'sleep', '--group', 'days')).err).toContain(
      '--group lists several tables, and sleep is the name of one',
    );
    expect((await aorta('schema', '--rows')).err).toContain('AORTA-WAREHOUSE-MISSING');
  });

  it('`schema` lists the views after the streams, without those whose data is withheld', async () => {
    const { out } = await aorta('schema');
    expect(out).toMatch(/^sleep +sleep .*\n(?:.*\n)*view +one row is\n(?:.*\n)*sleep_nights +One night of a user/m);
    const names = async (): Promise<(string | undefined)[]> =>
      JSON.parse((await aorta('schema', '--json')).out).map(({ view }: { view?: string }) => view);
    const all = await names();
    expect(all.slice(-1)).toEqual(['people']);
    expect(all).toContain('meal_foods');
    writeFileSync(join(folder, 'aorta.yaml'), 'privacy: { free_text: false }\n');
    expect(await names()).not.toContain('meal_foods');
    const { code, err } = await aorta('schema', 'meal_foods');
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('withholds its data') });
  });

  it('`status` prints that there are no tables, and `doctor` exits with code 0', async () => {
    const status = await aorta('status', '--json');
    expect(JSON.parse(status.out)).toMatchObject({ writer: null, streams: [], published_at: null, tables: null });
    const doctor = await aorta('doctor', '--json');
    expect(doctor.code).toBe(0);
    expect(JSON.parse(doctor.out).map(({ check }: { check: string }) => check)).toContain('data folder');
  });

  it('a dry run changes nothing', async () => {
    writeFileSync(join(folder, 'a.json'), '{}');
    const { code, out } = await aorta('load', 'a.json', '--dry-run', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ dry_run: true, files: [{ path: 'a.json', bytes: 2 }] });
    expect((await aorta('status', '--json')).out).toContain('"tables": null');
    expect((await aorta('demo', '--dry-run')).out).toMatch(/^Would create 12 people, 14 days/);
  });
});

describe('errors', () => {
  it('without a code are printed with their kind and place, but without their message and stack trace', async () => {
    const err = keptOutput();
    expect(await printError(err, new TypeError('a value of 7.77123'), plainCall)).toBe(1);
    expect(err.text).toMatch(
      /^aorta: Something happened in pipelines\/aorta\/cli\/command-line\.test\.ts:\d+ that should not be possible \(TypeError\)\. \[AORTA-BUG\]\n/,
    );
    expect(err.text).not.toContain('7.77123');
  });

  it('make the command exit with code 2 for wrong usage, 75 for a transient error, and 1 for any other error', async () => {
    expect(await printError(keptOutput(), new DuckDbError('AORTA-WAREHOUSE-UNPUBLISHED', { path: 'x' }), plainCall)).toBe(75);
    expect(await printError(keptOutput(), new AortaError('AORTA-FILE-NOT-FOUND', { file: 'x' }), plainCall)).toBe(2);
    expect(await printError(keptOutput(), new AortaError('AORTA-DATA-LOCKED', { folder: 'x', pid: 1 }), plainCall)).toBe(1);
  });
});

describe('aorta streams', () => {
  const now = Date.UTC(2026, 0, 1);
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }));
  afterEach(() => void vi.useRealTimers());

  const hourAgo = (now - 3_600_000) * 1000;
  const unrouted = (offset: number): StreamRecords['unrouted'] => ({
    receipt: {
      source: 'hub',
      partition: '0',
      offset,
      // The record with offset 1 was received one hour ago, the others three hours ago.
      received_at: hourAgo - (offset === 1 ? 0 : 7_200_000_000),
      delivery_id: null,
      header_facts: 0,
      body_bytes: 2,
      body_crc32: 0,
      arrived_at: null,
    },
    event_type: 'x.y',
    team_id: null,
    user_id: null,
    reader: 1,
    headers: {},
    key: null,
    body: Buffer.from('{}'),
  });

  it('prints the lag of each group in records and seconds', async () => {
    const log = await openLocalLog({ folder: join(folder, 'aorta-data', 'streams') });
    for (const offset of [0, 1, 2]) log.append('unrouted', unrouted(offset));
    await log.flush();
    await log.commit('warehouse', partitionOf('unrouted'), 1);
    await log.commit('other', partitionOf('unrouted'), 3);
    await log.close();
    const [stream] = JSON.parse((await aorta('streams', '--json')).out);
    expect(stream).toMatchObject({ stream: 'unrouted', records: 3, lag: 2, lag_s: 3600 });
    expect(stream.groups).toMatchObject([
      { group: 'other', position: 3, lag: 0, lag_s: 0 },
      { group: 'warehouse', position: 1, lag: 2, lag_s: 3600 },
    ]);
    expect((await aorta('streams')).out).toMatch(/ {2}2 {2}1 h 0 min\n/);
    expect(JSON.parse((await aorta('streams', '--sources', '--json')).out)).toEqual([]);
  });

  const keepReport = (source: string, progress: Progress) =>
    keepWorkerReport({
      place: { streams: join(folder, 'aorta-data', 'streams'), warehouse: '' },
      parts: ['ingestion'],
      clients: [],
      sources: [source],
      supervisor: null,
      progress,
      upcoming: () => undefined,
      logger: silentLogger,
    });

  it('reports that a running process has no partitions yet', async () => {
    const source = '{ type: kafka, name: hub, brokers: ["127.0.0.1:1"], topics: [t], consumer_group: g }';
    writeFileSync(join(folder, 'aorta.yaml'), `sources: [${source}]\n`);
    expect((await aorta('streams', '--sources')).out).toBe('No process here has reported partitions of a source.\n');
    const kept = await keepReport('hub', new Progress());
    expect((await aorta('streams', '--sources')).out).toMatch(
      new RegExp(`^Process ${process.pid} on \\S+ started .* ago and has no partitions of hub yet\\.\n$`),
    );
    await kept.close();
    expect((await aorta('streams', '--sources')).out).toBe('No process here has reported partitions of a source.\n');
  });

  it('prints the position of each partition of a running source', async () => {
    const progress = new Progress();
    const lane = (of: string) => progress.lane({ kind: 'partition', reader: 'a/b', of }, { part: 'consumer a/b' });
    for (const of of ['10', '2']) lane(of).report({ position: 1200, end: 1207, receivedAt: now - 60_000, state: 'reading' });
    lane('3').report({ position: 4, end: 9, state: 'restoring' });
    progress.lane({ kind: 'stream', reader: 'warehouse', of: 'sleep' }, { part: 'loading' });
    await (await keepReport('a/b', progress)).close();
    writeFileSync(join(folder, 'aorta-data', 'streams', 'workers', 'later.json'), '{"another": "version"}');
    const [source, ...others] = JSON.parse((await aorta('streams', '--sources', '--json')).out);
    expect(others).toEqual([]);
    expect(source).toMatchObject({
      source: 'a/b',
      pid: process.pid,
      partitions: [
        { partition: '2', position: 1200, end: 1207, lag: 7, lag_s: 60, state: 'reading' },
        { partition: '3', position: 4, end: 9, lag: 5, lag_s: null, state: 'restoring' },
        { partition: '10' },
      ],
    });
    const { out } = await aorta('streams');
    expect(out).toMatch(/^The streams hold no records yet\.\n\nSource a\/b, as reported by process \d+ \(.* ago\):\n/);
    expect(out).toMatch(/\n2 +1,200 +1,207 +7 +1 min 0 s +reading\n3 +4 +9 +5 +unknown +restoring\n/);
  });
});

describe('the reference pages', () => {
  it('list every command', async () => {
    const page = await cliReference();
    for (const name of [
      'demo',
      'load',
      'run',
      'query',
      'status',
      'streams',
      'tail',
      'dlq list',
      'dlq show',
      'validate',
      'doctor',
      'schema',
    ])
      expect(page).toContain(`## \`aorta ${name}\``);
    expect(page).toContain('| `--strict` | exit with code 3 if there are dead letters |');
    expect(page).toContain('aorta load events.ndjson.gz --warehouse duckdb:health.duckdb');
    expect(await cliReference()).toBe(page);
  });

  it('contain a valid example configuration, and describe every field', () => {
    const page = configurationReference();
    const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    expect(() => parseConfiguration('example', example, {})).not.toThrow();
    for (const field of Object.keys(editorSchema().properties ?? {})) expect(page).toContain(`## \`${field}\``);
  });
});
