import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { takesAtMost } from '../../infra/machine/goal.fixture.ts';
import { aorta, type Ended } from './command.ts';

/** Tests that a problem with BigQuery causes exactly one error within seconds, and that the error says what to do. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-bigquery-bad-'));
  const event = {
    event_type: 'daily.data.body.created',
    user_id: 'planted-user',
    data: {
      id: 'i',
      user_id: 'planted-user',
      calendar_date: '2026-11-20',
      weight: 80,
      source: { provider: 'withings', type: 'scale' },
    },
  };
  writeFileSync(join(folder, 'events.ndjson'), `${JSON.stringify(event)}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;

/** Writes a configuration with this warehouse and a new data folder. Returns the command-line options that select it. */
function configured(warehouse: Readonly<Record<string, unknown>>, more = ''): string[] {
  const name = `aorta-${++made}.yaml`;
  const fields = { type: 'bigquery', dataset: 'health', ...warehouse };
  writeFileSync(
    join(folder, name),
    `warehouse: ${JSON.stringify(fields)}\n${more === '' ? `streams: { type: local, folder: streams-${made} }\n` : more}`,
  );
  return ['--config', name];
}

/** Returns the printed error codes. Fails if the output contains a warning from a library or any of the planted values. */
function said({ stdout, stderr }: Ended): (string | undefined)[] {
  expect(stdout + stderr).not.toMatch(/warning|deprecated|node:|planted/i);
  return [...stderr.matchAll(/\[(AORTA-[A-Z-]+)\]/g)].map(([, code]) => code);
}

describe('BigQuery without credentials', () => {
  beforeEach(() => {
    for (const name of ['GOOGLE_APPLICATION_CREDENTIALS', 'METADATA_SERVER_DETECTION', 'GCE_METADATA_IP', 'CLOUDSDK_CONFIG'])
      vi.stubEnv(name, '');
    vi.stubEnv('HOME', folder);
    // Nothing listens at this address, so the client does not find Google's metadata server.
    vi.stubEnv('GCE_METADATA_HOST', '127.0.0.1:1');
    return () => vi.unstubAllEnvs();
  });

  test('every command reports missing credentials within seconds', async () => {
    const verbs = [['query', 'select 1'], ['plan'], ['apply'], ['status', '--cost'], ['load', 'events.ndjson'], ['pulls']];
    const ended = await takesAtMost(15_000, 'the failure of six commands', () =>
      Promise.all(
        verbs.map(async (words) => ({ words, ...(await aorta(folder, [...words, ...configured({ project: 'my-project' })])) })),
      ),
    );
    for (const one of ended) {
      expect([one.words, said(one)]).toEqual([one.words, ['AORTA-BIGQUERY-CREDENTIALS']]);
      expect([one.words, one.code, one.stderr.includes('there are no credentials')]).toEqual([one.words, 1, true]);
    }
  });

  test('a malformed key file is an error', async () => {
    writeFileSync(join(folder, 'key.json'), '{ "secret": "planted" ');
    const ended = await aorta(folder, ['query', 'select 1', ...configured({ project: 'my-project', key_file: 'key.json' })]);
    expect([ended.code, said(ended)]).toEqual([1, ['AORTA-BIGQUERY-CREDENTIALS']]);
    expect(ended.stderr).toContain('is unreadable or has no credentials');
  });

  test('`aorta doctor` reports missing credentials along with its other findings, even if no server answers', async () => {
    const nowhere = '127.0.0.1:1';
    const absent = `
sources:
  - { type: kafka, name: k, brokers: ['${nowhere}'], topics: [t] }
  - { type: event-hubs, name: h, connection: 'Endpoint=sb://localhost:1;SharedAccessKeyName=a;SharedAccessKey=Yg==', hubs: [h] }
streams: { type: kafka, brokers: ['${nowhere}'] }
service: { base_url: 'http://${nowhere}', key: a }
`;
    const found = async (words: readonly string[]) => {
      const ended = await aorta(folder, ['doctor', '--json', ...words]);
      expect([ended.code, said(ended)]).toEqual([1, []]);
      const findings = JSON.parse(ended.stdout) as { check: string; state: string; found: string }[];
      return findings.filter(({ state }) => state === 'fail');
    };
    // The checks run in parallel. When they ran one after another, they took more than a minute.
    const [alone, all] = await takesAtMost(25_000, 'the checks', () =>
      Promise.all([
        found(configured({ project: 'my-project' })),
        found(configured({ project: 'my-project', api_endpoint: `http://${nowhere}` }, absent)),
      ]),
    );
    expect(alone.map(({ check }) => check)).toEqual(['warehouse']);
    expect(alone[0]!.found).toContain('there are no credentials');
    expect(all.map(({ check }) => check)).toEqual(['streams', 'hub h', 'kafka k', 'service', 'warehouse']);
    expect(all.at(-1)!.found).toContain('there was no connection');
  });
});

test.each([
  ['project', { project: 'My Project' }, 'this is not a project id'],
  ['dataset', { project: 'my-project', dataset: 'my-project.health' }, 'this is not a dataset name'],
])('an invalid %s is reported with its line number', async (_, warehouse, problem) => {
  const ended = await aorta(folder, ['validate', ...configured(warehouse)]);
  expect(ended.code).toBe(2);
  expect(ended.stdout + ended.stderr).toMatch(new RegExp(`aorta-\\d+\\.yaml:1: warehouse\\.\\w+: ${problem}`));
});

const problem = await whyNoBigQuery({ own: true });

describe.skipIf(problem !== undefined)(
  `errors from a BigQuery server${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    let big: ProvidedBigQuery;
    beforeAll(async () => {
      big = await provideBigQuery({ own: true });
      await big.client().createDataset('health');
    });
    afterAll(() => big?.stop());

    const load = (warehouse: Readonly<Record<string, unknown>> = {}): Promise<Ended> =>
      aorta(folder, [
        'load',
        'events.ndjson',
        ...configured({ project: big.project, api_endpoint: big.apiEndpoint, ...warehouse }),
      ]);
    const refuse = (on: 'datasets-get' | 'tables-insert' | 'upload', reason: string, message: string): Promise<number> =>
      big.control!.inject({ on, times: 'always', fault: { kind: 'status', status: 403, reason, message } });

    test.each([
      ['a foreign project', { project: 'another' }, 'FORBIDDEN', 'another.health'],
      ['a missing dataset', { dataset: 'helth' }, 'DATASET', 'helth'],
      ['a dataset in a different location', { location: 'EU' }, 'LOCATION', 'Set `location: US`'],
    ])('loading into %s fails with exactly one error', async (_, warehouse, code, words) => {
      const ended = await load(warehouse);
      expect([ended.code, said(ended)]).toEqual([1, [`AORTA-BIGQUERY-${code}`]]);
      expect(ended.stderr).toContain(words);
    });

    test.each([
      ['datasets-get', 'bigquery.datasets.get'],
      ['tables-insert', 'bigquery.tables.create'],
      ['upload', 'bigquery.jobs.create'],
    ] as const)('if a permission is missing for %s, the error names the permission', async (on, permission) => {
      const rule = await refuse(
        on,
        'accessDenied',
        `Access Denied: Table p:d.t: Permission ${permission} denied on planted (or it may not exist).`,
      );
      const ended = await load();
      await big.control!.remove(rule);
      expect([ended.code, said(ended)]).toEqual([1, ['AORTA-BIGQUERY-FORBIDDEN']]);
      expect(ended.stderr).toContain(`(permission: ${permission})`);
    });

    test('if a quota is used up, a run exits with code 75 after patience_s, and the next run loads the data', async () => {
      const rule = await refuse('upload', 'quotaExceeded', 'Quota exceeded: Your project exceeded quota for load jobs');
      const ended = await load({ patience_s: 10 });
      await big.control!.remove(rule);
      // Exit code 75 means that a later run can succeed.
      expect([ended.code, said(ended)]).toEqual([75, ['AORTA-BIGQUERY-QUOTA']]);
      const again = await aorta(folder, ['run', '--only', 'loading', '--once', '--config', `aorta-${made}.yaml`]);
      expect([again.code, said(again)]).toEqual([0, []]);
      const [rows] = await big.client().query('SELECT weight_kg FROM health.body');
      expect(rows).toEqual([{ weight_kg: 80 }]);
    });

    test('loading keeps columns that other programs added, and refuses a table with incompatible columns', async () => {
      const at = { project: big.project, api_endpoint: big.apiEndpoint };
      const dataset = big.client().dataset('health');
      const body = dataset.table('body');
      const [{ schema }] = await body.getMetadata();
      const theirs = ['select', 'größe', 'two words', 'ID_2'].map((name) => ({ name, type: 'STRING', mode: 'NULLABLE' }));
      await body.setMetadata({ schema: { fields: [...schema.fields, ...theirs] } });
      writeFileSync(
        join(folder, 'more.ndjson'),
        `${JSON.stringify({
          event_type: 'daily.data.body.created',
          user_id: 'u',
          data: {
            id: 'j',
            user_id: 'u',
            calendar_date: '2026-11-21',
            weight: 81,
            source: { provider: 'withings', type: 'scale' },
          },
        })}\n`,
      );
      const loaded = await aorta(folder, ['load', 'more.ndjson', ...configured(at)]);
      expect([loaded.code, said(loaded)]).toEqual([0, []]);
      const [rows] = await big
        .client()
        .query('SELECT weight_kg, `select`, `größe`, `two words` FROM health.body ORDER BY weight_kg');
      expect(rows.map((row) => Object.values(row as object))).toEqual([
        [80, null, null, null],
        [81, null, null, null],
      ]);
      await dataset.createTable('sleep_foreign', { schema: [{ name: 'id', type: 'INTEGER' }] });
      await dataset.table('sleep').delete();
      await dataset.createTable('sleep', { schema: [{ name: 'id', type: 'INTEGER' }] });
      const planned = await aorta(folder, ['plan', ...configured(at)]);
      expect([planned.code, said(planned)]).toEqual([0, []]);
      expect(planned.stdout).toContain(
        'Table sleep: was not created by Aorta and has incompatible columns: column id is INT64 instead of STRING.',
      );
      expect(planned.stdout).toContain('ALTER TABLE `test.health.sleep` RENAME TO sleep_before');
      expect(planned.stdout).not.toMatch(/Table (body|sleep_foreign)\b/);
      const refused = await aorta(folder, ['load', 'more.ndjson', ...configured(at)]);
      expect([refused.code, said(refused)]).toEqual([1, ['AORTA-BIGQUERY-TABLE']]);
    });
  },
);
