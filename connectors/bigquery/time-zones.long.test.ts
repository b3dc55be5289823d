import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { startAnalyser } from '@aorta/bigquery-server/analyser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { offsetOfWallClock } from '../../schemas/time-zones/wall-clock.fixture.ts';
import { openJobs } from './client/official-client.ts';
import { bigQueryOptions } from './options.ts';
import { dataset as analysed } from './sql/landed.fixture.ts';
import { tableResource, timeZoneTable } from './tables/declared.ts';
import { fillStatements, fillTimeZones, timeZoneDifferences } from './time-zones.ts';

const problem = await whyNoBigQuery({ own: true });

test('GoogleSQL accepts the statements that fill the table of time zones', async () => {
  const analyser = await startAnalyser();
  try {
    const name = `${analysed.project}.${analysed.dataset}.${timeZoneTable.name}`;
    for (const sql of fillStatements(analysed).slice(1, -1))
      expect(await analyser.analyse(sql, [{ name, columns: timeZoneTable.fields }])).toMatchObject({ accepted: true });
  } finally {
    await analyser.close();
  }
});

describe.skipIf(problem !== undefined)(`the table of time zones${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  beforeAll(async () => {
    provided = await provideBigQuery({ own: true });
  });
  afterAll(() => provided?.stop());

  test('is filled once, and again if it has other rows or none', async () => {
    const { project, apiEndpoint, location = 'US' } = provided;
    const { type: _, ...settings } = bigQueryOptions.parse({
      type: 'bigquery',
      project,
      dataset: 'zones',
      location,
      api_endpoint: apiEndpoint,
    });
    const jobs = openJobs(settings, {});
    const client = provided.client();
    const { name } = timeZoneTable;
    const zones = client.dataset('zones');
    await zones.create();
    await zones.createTable(name, tableResource(timeZoneTable) as never);
    const found = () => jobs.client.getTable(name);
    const fill = async () => fillTimeZones(jobs, await found());
    const planned = async () => timeZoneDifferences(await found()).map(({ what }) => what);
    const rows = async () => {
      const query = `select count(*) as found, count(distinct zone) as zones from zones.${name}`;
      return (await client.query({ query }))[0];
    };

    expect(await planned()).toEqual(['has no rows']);
    await fill();
    expect(await planned()).toEqual([]);
    const [filled] = await rows();
    expect(filled.zones).toBeGreaterThan(590);
    const query = `select offset_s from zones.${name} where zone = @zone and time_basis = 'utc'
      and from_at <= timestamp_seconds(@second) and to_at > timestamp_seconds(@second)`;
    for (const zone of ['America/St_Johns', 'Europe/Berlin', 'Asia/Calcutta'])
      for (const second of [1_262_304_000, 1_773_000_000, 1_785_000_000, 2_145_916_799]) {
        const [offsets] = await client.query({ query, params: { zone, second } });
        expect([zone, second, offsets]).toEqual([zone, second, [{ offset_s: offsetOfWallClock(zone, second) }]]);
      }

    await client.query(`delete from zones.${name} where zone = 'UTC'`);
    await fill();
    expect(await rows()).not.toEqual([filled]);
    const { labels } = await found();
    await jobs.client.patchTable(name, { labels: { ...labels, aorta_content: 'other' } });
    expect(await planned()).toEqual(['has the rows of another version']);
    await fill();
    expect([await planned(), await rows()]).toEqual([[], [filled]]);
  });
});

test('a table that someone else created is not filled', () => {
  expect(timeZoneDifferences({})).toEqual([]);
  expect(timeZoneDifferences({ labels: { aorta: 'reference' } })).toHaveLength(1);
});
