import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { BigQuery, type TableField } from '@google-cloud/bigquery';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { whyNoBigQuery } from './index.ts';
import { DATASET, ndjson, type ServerWithDataset, startServerWithDataset } from './server.fixture.ts';

const problem = await whyNoBigQuery({ own: true });
const DAY_MS = 86_400_000;

/** Uses the official client to test the features that the server adds to the emulator. */
describe.skipIf(problem !== undefined)(`the local BigQuery${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let place: ServerWithDataset;
  beforeAll(async () => {
    place = await startServerWithDataset();
  });
  afterAll(() => place?.stop());

  const columns: TableField[] = [
    { name: 'user_id', type: 'STRING', mode: 'REQUIRED' },
    { name: 'n', type: 'INT64' },
    { name: '_day', type: 'DATE' },
    { name: 'taken_at', type: 'TIMESTAMP' },
    { name: 'extra', type: 'JSON' },
    { name: 'tags', type: 'STRING', mode: 'REPEATED' },
    { name: 'samples', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'value', type: 'FLOAT64', mode: 'REQUIRED' }] },
  ];
  const path = (table: { id?: string }): string => `\`test.${DATASET}.${table.id}\``;
  const refusal = (work: Promise<unknown>): Promise<[number, string]> =>
    work.then(
      () => [200, 'accepted'],
      (error) => [error.code, error.errors?.[0]?.reason],
    );

  describe('jobs', () => {
    test('the official client loads a plain or gzipped stream with a given job id', async () => {
      const table = await place.table(columns);
      for (const [jobId, data] of [
        ['own_plain', ndjson([{ user_id: 'a', n: 1 }])],
        ['own_gzip', gzipSync(ndjson([{ user_id: 'b', n: 9007199254740993n.toString() }]))],
      ] as const) {
        const stream = table.createWriteStream({ jobId, sourceFormat: 'NEWLINE_DELIMITED_JSON' });
        const complete = new Promise((resolve, reject) => stream.on('complete', resolve).on('error', reject));
        await pipeline(Readable.from([data]), stream);
        await complete;
        const [job] = await place.client.job(jobId).getMetadata();
        expect([job.jobReference.jobId, job.status, job.statistics.load.outputRows]).toEqual([jobId, { state: 'DONE' }, '1']);
      }
      expect(
        await place.rows(`SELECT user_id, CAST(n AS STRING) AS n, ARRAY_LENGTH(tags) AS tags FROM ${path(table)} ORDER BY 1`),
      ).toEqual([
        { user_id: 'a', n: '1', tags: 0 },
        { user_id: 'b', n: '9007199254740993', tags: 0 },
      ]);
    });

    test('a job id can be used only once, by an upload or by a query', async () => {
      const table = await place.table(columns);
      await place.load(table, [{ user_id: 'a' }], { jobId: 'once_load' });
      await expect(place.load(table, [{ user_id: 'a' }], { jobId: 'once_load' })).rejects.toMatchObject({
        code: 409,
        errors: [{ reason: 'duplicate' }],
      });
      await place.job(`INSERT INTO ${path(table)} (user_id) VALUES ('b')`, { jobId: 'once_query' });
      expect(
        await refusal(
          place.client.createQueryJob({ query: `INSERT INTO ${path(table)} (user_id) VALUES ('b')`, jobId: 'once_query' }),
        ),
      ).toEqual([409, 'duplicate']);
      expect(await place.rows(`SELECT COUNT(*) AS n FROM ${path(table)}`)).toEqual([{ n: 2 }]);
      expect(await refusal(place.client.job('never').getMetadata())).toEqual([404, 'notFound']);
    });

    test('a failed query returns its status and reason, and its job reports the same reason', async () => {
      expect(await refusal(place.client.query('SELEC 1'))).toEqual([400, 'invalidQuery']);
      expect(await refusal(place.client.query(`SELECT * FROM ${DATASET}.nothing`))).toEqual([404, 'notFound']);
      expect(await refusal(place.client.query('SELECT * FROM nowhere.nothing'))).toEqual([404, 'notFound']);
      const job = await place.job(`SELECT * FROM ${DATASET}.nothing`);
      expect(job.status).toMatchObject({ state: 'DONE', errorResult: { reason: 'notFound' } });
    });

    test('a script is one job, and a failed transaction changes no rows', async () => {
      const table = await place.table(columns);
      const insert = (user: string): string => `INSERT INTO ${path(table)} (user_id, n) VALUES ('${user}', 1)`;
      const done = await place.job(
        `BEGIN TRANSACTION; ${insert('a')}; UPDATE ${path(table)} SET n = @n WHERE user_id = @user; COMMIT TRANSACTION`,
        {
          jobId: 'script_1',
          params: { n: 7, user: 'a' },
        },
      );
      expect([done.status, done.statistics.query.statementType]).toEqual([{ state: 'DONE' }, 'SCRIPT']);
      const failed = await place.job(`BEGIN TRANSACTION; ${insert('b')}; SELECT 1 / 0; ${insert('c')}; COMMIT TRANSACTION`);
      expect(failed.status.errorResult?.reason).toBe('invalidQuery');
      expect(await place.rows(`SELECT user_id, n FROM ${path(table)}`)).toEqual([{ user_id: 'a', n: 7 }]);
    });

    test('a query can have a default dataset and a destination table', async () => {
      const table = await place.table(columns);
      await place.load(table, [{ user_id: 'a' }, { user_id: 'b' }]);
      const defaultDataset = { projectId: 'test', datasetId: DATASET };
      expect(await place.rows(`SELECT COUNT(*) AS n FROM ${table.id}`, { defaultDataset })).toEqual([{ n: 2 }]);
      const destination = place.client.dataset(DATASET).table('copied');
      const query = `SELECT user_id FROM ${path(table)}`;
      await place.job(query, { destination });
      expect((await place.job(query, { destination })).status.errorResult?.reason).toBe('duplicate');
      await place.job(query, { destination, writeDisposition: 'WRITE_APPEND' });
      await place.job(`${query} LIMIT 1`, { destination, writeDisposition: 'WRITE_TRUNCATE' });
      expect(await place.rows(`SELECT COUNT(*) AS n FROM ${path(destination)}`)).toEqual([{ n: 1 }]);
    });

    test('a job runs in the location of its dataset, and calls for a different project are refused', async () => {
      await place.client.createDataset('frankfurt', { location: 'europe-west3' });
      await place.client.dataset('frankfurt').createTable('t', { schema: { fields: columns } });
      expect(await refusal(place.client.query({ query: 'SELECT * FROM frankfurt.t', location: 'US' }))).toEqual([
        200,
        'accepted',
      ]);
      const [job] = await place.client.createQueryJob({ query: 'SELECT * FROM frankfurt.t', jobId: 'far' });
      expect(job.location).toBe('europe-west3');
      expect(await refusal(place.client.job('far').getMetadata())).toEqual([404, 'notFound']);
      expect(await refusal(place.client.job('far', { location: 'europe-west3' }).getMetadata())).toEqual([200, 'accepted']);
      const elsewhere = place.provided.client({ projectId: 'elsewhere', autoRetry: false });
      expect(await refusal(elsewhere.query('SELECT 1'))).toEqual([403, 'accessDenied']);
    });
  });

  describe('rows of a load', () => {
    test.each([
      ['a required column that is missing', { n: 1 }, 'Missing required field: user_id.'],
      ['a required column that is null', { user_id: null }, 'Only optional fields can be set to NULL. Field: user_id'],
      ['a column that the table does not have', { user_id: 'a', nope: 1 }, 'No such field: nope.'],
      [
        'a field that the record does not have',
        { user_id: 'a', samples: [{ value: 1, nope: 1 }] },
        'No such field: samples.nope.',
      ],
      ['a missing required field of a record', { user_id: 'a', samples: [{}] }, 'Missing required field: samples.value.'],
      ['a list that is null', { user_id: 'a', tags: null }, 'Only optional fields can be set to NULL. Field: tags'],
      ['a list for a single value', { user_id: ['a'] }, 'Array specified for non-repeated field: user_id.'],
      ['a fraction for a whole number', { user_id: 'a', n: 1.5 }, 'Could not convert value to integer. Field: n.'],
      ['an invalid date', { user_id: 'a', _day: '2026-02-30' }, 'Could not convert value to date. Field: _day.'],
      ['an invalid timestamp', { user_id: 'a', taken_at: 'soon' }, 'Could not convert value to timestamp. Field: taken_at.'],
    ])('%s is refused', async (_, row, words) => {
      const table = await place.table(columns);
      const job = await place.load(table, [{ user_id: 'before' }, row]);
      expect(job.status).toMatchObject({ state: 'DONE', errorResult: { reason: 'invalid' } });
      expect(job.status.errors.map(({ message }: { message: string }) => message).join('\n')).toContain(words);
      expect(await place.rows(`SELECT COUNT(*) AS n FROM ${path(table)}`)).toEqual([{ n: 0 }]);
    });

    test('a load can ignore unknown columns and tolerate a limited number of bad rows', async () => {
      const table = await place.table(columns);
      const ignored = await place.load(table, [{ user_id: 'a', nope: 1 }], { ignoreUnknownValues: true });
      expect(ignored.status).toEqual({ state: 'DONE' });
      const some = await place.load(table, [{ user_id: 'b' }, { n: 1 }], { maxBadRecords: 1 });
      expect([some.status.errorResult, some.status.errors.length, some.statistics.load.outputRows]).toEqual([undefined, 1, '1']);
    });

    test('a failed load does not create its table', async () => {
      const table = place.client.dataset(DATASET).table('never_made');
      const job = await place.load(table, [{ n: 1 }], { schema: { fields: columns } });
      expect([job.status.errorResult.reason, (await table.exists())[0]]).toEqual(['invalid', false]);
    });
  });

  describe('tables', () => {
    test('keep metadata that was set through the API or DDL', async () => {
      const said = {
        timePartitioning: { type: 'DAY', field: '_day', expirationMs: '31536000000' },
        requirePartitionFilter: true,
        clustering: { fields: ['user_id'] },
        labels: { aorta: 'table' },
        description: 'Samples.',
        expirationTime: String(Date.UTC(2100, 0, 1)),
        tableConstraints: { primaryKey: { columns: ['user_id'] } },
      };
      const table = await place.table(columns, said);
      expect((await table.getMetadata())[0]).toMatchObject({ ...said, type: 'TABLE', numRows: '0' });
      await place.job(`CREATE TABLE ${DATASET}.made (
          user_id STRING NOT NULL OPTIONS (description = 'Who.'), _day DATE, extra JSON, samples ARRAY<STRUCT<value FLOAT64, tags ARRAY<STRING>>>,
          PRIMARY KEY (user_id) NOT ENFORCED)
        PARTITION BY _day CLUSTER BY user_id, _day
        OPTIONS (description = 'Made.', labels = [('aorta', 'made')], require_partition_filter = TRUE, partition_expiration_days = 10)`);
      const [made] = await place.client.dataset(DATASET).table('made').getMetadata();
      expect(made).toMatchObject({
        timePartitioning: { type: 'DAY', field: '_day', expirationMs: String(10 * DAY_MS) },
        requirePartitionFilter: true,
        clustering: { fields: ['user_id', '_day'] },
        labels: { aorta: 'made' },
        description: 'Made.',
        tableConstraints: { primaryKey: { columns: ['user_id'] } },
      });
      expect(made.schema.fields).toMatchObject([
        { name: 'user_id', type: 'STRING', mode: 'REQUIRED', description: 'Who.' },
        { name: '_day', type: 'DATE', mode: 'NULLABLE' },
        { name: 'extra', type: 'JSON' },
        {
          name: 'samples',
          type: 'RECORD',
          mode: 'REPEATED',
          fields: [
            { name: 'value', type: 'FLOAT' },
            { name: 'tags', mode: 'REPEATED' },
          ],
        },
      ]);
      await place.job(`ALTER TABLE ${DATASET}.made SET OPTIONS (partition_expiration_days = NULL)`);
      const [kept] = await place.client.dataset(DATASET).table('made').getMetadata();
      expect(kept.timePartitioning).toEqual({ type: 'DAY', field: '_day' });
    });

    test('accept new columns, relaxed modes and wider types, and rows that use them', async () => {
      const table = await place.table(columns);
      await place.load(table, [{ user_id: 'a', n: 1, samples: [{ value: 1 }] }]);
      const [samples] = columns.slice(-1);
      const wider = [
        { name: 'user_id', type: 'STRING', mode: 'NULLABLE' },
        { name: 'n', type: 'NUMERIC' },
        ...columns.slice(2, -1),
        { ...samples, fields: [...samples!.fields!, { name: 'unit', type: 'STRING' }] },
        { name: 'note', type: 'STRING' },
      ];
      await table.setMetadata({ schema: { fields: wider } });
      expect((await table.getMetadata())[0].schema.fields).toMatchObject(
        wider.map(({ name, type }) => ({ name, type: type === 'FLOAT64' ? 'FLOAT' : type })),
      );
      const load = await place.load(table, [{ n: '1.5', note: 'x', samples: [{ value: 2, unit: 'm' }] }]);
      expect(load.status).toEqual({ state: 'DONE' });
      expect(
        await place.rows(
          `SELECT CAST(n AS FLOAT64) AS n, note, s.value, s.unit FROM ${path(table)}, UNNEST(samples) s ORDER BY s.value`,
        ),
      ).toEqual([
        { n: 1, note: null, value: 1, unit: null },
        { n: 1.5, note: 'x', value: 2, unit: 'm' },
      ]);
      await place.job(`ALTER TABLE ${path(table)} ADD COLUMN IF NOT EXISTS late ARRAY<STRING>, ALTER COLUMN _day DROP NOT NULL`);
    });

    test.each([
      ['a removed column', columns.slice(1), 'missing in new schema'],
      ['a different type', [{ ...columns[0]!, type: 'INT64' }, ...columns.slice(1)], 'changed type from STRING to INTEGER'],
      [
        'a stricter mode',
        [columns[0]!, { ...columns[1], mode: 'REQUIRED' }, ...columns.slice(2)],
        'changed mode from NULLABLE to REQUIRED',
      ],
      ['a new required column', [...columns, { name: 'more', type: 'STRING', mode: 'REQUIRED' }], 'Cannot add required fields'],
    ])('refuse %s', async (_, fields, words) => {
      const table = await place.table(columns);
      await expect(table.setMetadata({ schema: { fields } })).rejects.toMatchObject({
        code: 400,
        message: expect.stringContaining(words),
      });
    });

    test('get new columns from a load if the load’s options allow it', async () => {
      const table = await place.table(columns);
      const schema = {
        fields: [
          { name: 'user_id', type: 'STRING', mode: 'NULLABLE' },
          { name: 'more', type: 'STRING' },
        ],
      };
      const row = [{ more: 'x' }];
      const refused = await place.load(table, row, { schema, schemaUpdateOptions: ['ALLOW_FIELD_RELAXATION'] });
      expect(refused.status.errorResult.message).toContain('Cannot add fields (field: more)');
      const strict = await place.load(table, row, { schema, schemaUpdateOptions: ['ALLOW_FIELD_ADDITION'] });
      expect(strict.status.errorResult.message).toContain('changed mode from REQUIRED to NULLABLE');
      const grown = await place.load(table, row, {
        schema,
        schemaUpdateOptions: ['ALLOW_FIELD_ADDITION', 'ALLOW_FIELD_RELAXATION'],
      });
      expect(grown.status).toEqual({ state: 'DONE' });
      expect(await place.rows(`SELECT user_id, more FROM ${path(table)}`)).toEqual([{ user_id: null, more: 'x' }]);
    });

    test('refuse a change with an outdated etag', async () => {
      const table = await place.table(columns);
      const [{ etag }] = await table.getMetadata();
      await table.setMetadata({ description: 'first' });
      expect(await refusal(table.setMetadata({ etag, description: 'second' } as object))).toEqual([412, 'conditionNotMet']);
    });

    test('include views, whose queries can be read and replaced', async () => {
      const table = await place.table(columns);
      await place.load(table, [{ user_id: 'a', n: 1 }]);
      const dataset = place.client.dataset(DATASET);
      await dataset.createTable('seen', { view: { query: `SELECT user_id FROM ${path(table)}`, useLegacySql: false } });
      await place.job(`CREATE VIEW ${DATASET}.also AS SELECT n FROM ${path(table)}`);
      const [seen] = await dataset.table('seen').getMetadata();
      const [also] = await dataset.table('also').getMetadata();
      expect([seen.type, seen.view.query, also.type, also.view.query]).toEqual([
        'VIEW',
        `SELECT user_id FROM ${path(table)}`,
        'VIEW',
        `SELECT n FROM ${path(table)}`,
      ]);
      await dataset.table('seen').setMetadata({ view: { query: `SELECT n FROM ${path(table)}`, useLegacySql: false } });
      expect(await place.rows(`SELECT * FROM ${DATASET}.seen`)).toEqual([{ n: 1 }]);
    });

    test('include views whose columns have descriptions', async () => {
      const table = await place.table(columns);
      await place.load(table, [{ user_id: 'a', n: 1 }]);
      const fields = async (name: string) =>
        (await place.client.dataset(DATASET).table(name).getMetadata())[0].schema.fields.map(
          (field: { description?: string }) => field.description,
        );
      const list = "(user_id OPTIONS (description = 'User.'), n OPTIONS (description = 'Number, as sent.'))";
      const made = await place.job(
        `CREATE OR REPLACE VIEW ${DATASET}.listed ${list} OPTIONS (description = 'One n.') AS SELECT user_id, n FROM ${path(table)}`,
      );
      expect(made.status.errorResult).toBeUndefined();
      expect(await fields('listed')).toEqual(['User.', 'Number, as sent.']);
      expect(await place.rows(`SELECT * FROM ${DATASET}.listed`)).toEqual([{ user_id: 'a', n: 1 }]);
      const [listed] = await place.client.dataset(DATASET).table('listed').getMetadata();
      expect([listed.description, listed.view.query]).toEqual(['One n.', `SELECT user_id, n FROM ${path(table)}`]);
      const other = listed.schema.fields.map((field: { name: string }) => ({ ...field, description: `Other ${field.name}` }));
      await place.client
        .dataset(DATASET)
        .table('listed')
        .setMetadata({ schema: { fields: other } });
      expect(await fields('listed')).toEqual(['Other user_id', 'Other n']);
      expect(await place.rows(`SELECT * FROM ${DATASET}.listed`)).toEqual([{ user_id: 'a', n: 1 }]);
    });
  });

  describe('partitions', () => {
    const partitioned = { timePartitioning: { type: 'DAY', field: '_day' } };
    const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'];

    test('a table that requires a partition filter cannot be read without a filter', async () => {
      const table = await place.table(columns, { ...partitioned, requirePartitionFilter: true });
      await place.load(
        table,
        days.map((_day) => ({ user_id: 'a', _day })),
      );
      for (const query of [`SELECT * FROM ${path(table)}`, `DELETE FROM ${path(table)} WHERE user_id = 'a'`])
        expect(await refusal(place.client.query(query))).toEqual([400, 'invalidQuery']);
      expect(await place.rows(`SELECT COUNT(*) AS n FROM ${path(table)} WHERE _day >= '2026-11-03'`)).toEqual([{ n: 2 }]);
    });

    test('a statement processes only the bytes of the partitions that it selects', async () => {
      const table = await place.table(columns, partitioned);
      await place.load(
        table,
        Array.from({ length: 400 }, (_, n) => ({ user_id: 'a', n, _day: days[n % 4] })),
      );
      const bytes = async (query: string): Promise<number> => {
        const [job] = await place.client.createQueryJob({ query, dryRun: true });
        return Number(job.metadata.statistics.totalBytesProcessed);
      };
      const whole = await bytes(`SELECT * FROM ${path(table)}`);
      expect(whole).toBeGreaterThan(400 * 20);
      const merge = `MERGE ${path(table)} T USING (SELECT 'a' AS user_id) S ON T.user_id = S.user_id AND T._day IN (DATE '2026-11-02') WHEN MATCHED THEN UPDATE SET n = 0`;
      expect((await bytes(merge)) / whole).toBeCloseTo(1 / 4, 2);
      expect((await bytes(`SELECT * FROM ${path(table)} WHERE _day >= DATE '2026-11-03'`)) / whole).toBeCloseTo(1 / 2, 2);
      const job = await place.job(merge);
      expect(job.statistics.query).toMatchObject({ totalBytesBilled: String(10 * 1024 * 1024), numDmlAffectedRows: '100' });
      expect(await refusal(place.client.query({ query: merge, maximumBytesBilled: '1000000' }))).toEqual([
        400,
        'bytesBilledLimitExceeded',
      ]);
    });
  });

  describe('time', () => {
    afterEach(() => void vi.useRealTimers());

    test('tables and partitions expire according to the server’s clock and the defaults of their dataset', async () => {
      const now = Date.UTC(2026, 10, 15, 12);
      vi.useFakeTimers({ toFake: ['Date'], now });
      const dataset = place.client.dataset('short');
      await dataset.create({
        defaultTableExpirationMs: String(2 * DAY_MS),
        defaultPartitionExpirationMs: String(10 * DAY_MS),
      } as object);
      const make = (name: string, more: object): Promise<unknown> =>
        dataset.createTable(name, { schema: { fields: columns }, ...more });
      await make('by_default', {});
      await make('kept', { expirationTime: String(now + 400 * DAY_MS) });
      await make('parted', { timePartitioning: { type: 'DAY', field: '_day' } });
      for (const day of ['2026-11-07', '2026-11-14'])
        await place.rows(`INSERT INTO short.parted (user_id, _day) VALUES ('a', DATE '${day}')`);
      const names = async (): Promise<(string | undefined)[]> => (await dataset.getTables())[0].map(({ id }) => id);
      expect(await names()).toEqual(['by_default', 'kept', 'parted']);
      const [parted] = await dataset.table('parted').getMetadata();
      expect([parted.timePartitioning.expirationMs, parted.expirationTime]).toEqual([String(10 * DAY_MS), undefined]);
      await place.provided.control!.advance(3 * DAY_MS);
      expect(await names()).toEqual(['kept', 'parted']);
      expect(await place.rows('SELECT COUNT(*) AS n FROM short.parted')).toEqual([{ n: 1 }]);
    });
  });

  test('query results have the same format as in the real service', async () => {
    const [row] = await place.rows(
      `SELECT NUMERIC '1.23' AS n, TIMESTAMP '2026-11-01 10:00:00.123456+00' AS t, JSON '{"a": [1]}' AS j, 9007199254740993 AS big, [STRUCT(1 AS k)] AS l`,
      { wrapIntegers: true },
    );
    expect([String(row.n), row.j, row.big.value, row.l[0].k.value]).toEqual(['1.23', '{"a":[1]}', '9007199254740993', '1']);
    expect(row.t.value).toMatch(/^2026-11-01T10:00:00\.123456/);
    expect(row.t).toBeInstanceOf(BigQuery.timestamp('2026-11-01').constructor);
  });
});
