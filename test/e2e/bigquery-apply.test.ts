import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BigQueryControl, type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { aorta } from './command.ts';

/** Tests `aorta apply` on a BigQuery dataset: the tables, the output and the exit code. */

const problem = await whyNoBigQuery({ own: true });

describe.skipIf(problem !== undefined)(`aorta apply${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bigquery-apply-'));
  let provided: ProvidedBigQuery;
  let control: BigQueryControl;
  beforeAll(async () => {
    provided = await provideBigQuery({ own: true });
    control = provided.control!;
  });
  afterEach(() => control?.remove());
  afterAll(async () => {
    await provided?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function configured(dataset: string, more: object = {}): string[] {
    const warehouse = { type: 'bigquery', project: provided.project, dataset, api_endpoint: provided.apiEndpoint, ...more };
    // JSON is valid YAML.
    writeFileSync(join(folder, `${dataset}.yaml`), JSON.stringify({ warehouse }));
    return ['--config', `${dataset}.yaml`];
  }

  test('aorta apply creates all tables that it can, names the table that it cannot create, and exits with code 1', async () => {
    const words = configured('applied', { call_s: 30 });
    await provided.client().createDataset('applied');
    // Creates a view with the name of a table, so that `aorta apply` cannot create the table.
    await provided.client().query('CREATE VIEW applied.sleep AS SELECT 1 AS one');
    await provided
      .client()
      .dataset('applied')
      .createTable('aorta_meta', {
        schema: { fields: ['name', 'value'].map((name) => ({ name, type: 'STRING', mode: 'REQUIRED' })) },
      });
    // A listing that omits an existing table must not stop the command.
    await control.inject({ on: 'tables-list', fault: { kind: 'omits', tables: ['aorta_meta'] } });
    // One call hangs for longer than the ten seconds between two progress lines.
    await control.inject({ on: 'tables-insert', fault: { kind: 'hang', when: 'before' } });
    const { code, stdout, stderr } = await aorta(folder, ['apply', ...words]);
    expect({ code, reported: /AORTA-BIGQUERY-UNMADE/.test(stderr) }, stderr).toEqual({ code: 1, reported: true });
    expect(stdout).toMatch(/^Created \d+ tables\.$/m);
    expect(stdout).toMatch(/^Table sleep: is a view\. Not changed: the name of this table is taken by something else\.$/m);
    // This view reads another view, which reads the columns of the missing table.
    expect(stdout).toMatch(/^View timeseries_local: .*its query reads a table or view that does not exist\./m);
    expect(stderr).toContain('sleep');
    expect(stderr).toMatch(/Applying {2}\d+ of \d+ .*(table|view) \w+/);
    const [made] = await provided.client().dataset('applied').getTables();
    expect(made.map(({ id }) => id)).toEqual(expect.arrayContaining(['activity', 'aorta_positions', 'connections']));
  });

  test('if aorta apply stops with an error, the error states how many changes were made', async () => {
    const words = configured('stopped');
    const fault = {
      kind: 'status',
      status: 403,
      reason: 'accessDenied',
      message: 'Permission bigquery.tables.create denied',
    } as const;
    await control.inject({ on: 'tables-insert', from: 4, times: 'always', fault });
    const { code, stderr } = await aorta(folder, ['apply', ...words]);
    expect(code).toBe(1);
    // Four changes: the dataset and three tables.
    expect(stderr).toMatch(/Stopped after 4 of \d+ changes\./);
    expect(stderr).toContain('AORTA-BIGQUERY-FORBIDDEN');
  });
});
