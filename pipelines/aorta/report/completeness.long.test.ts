import { type Analyser, startAnalyser } from '@aorta/bigquery-server/analyser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completenessQueries } from './completeness.ts';

/**
 * All warehouses run the same queries. `test/e2e/service.test.ts` runs them in DuckDB. This test checks that they are valid
 * GoogleSQL.
 */

const column = (name: string, type: string) => ({ name, type, mode: 'NULLABLE' as const });
const known = [
  {
    name: 'completeness',
    columns: [
      ...['user_id', 'provider', 'resource'].map((name) => column(name, 'STRING')),
      ...['sent', 'received', 'backfilled', 'gap', 'missing'].map((name) => column(name, 'INT64')),
      ...['oldest_data', 'newest_data', 'as_of'].map((name) => column(name, 'TIMESTAMP')),
    ],
  },
  {
    name: 'user_states',
    columns: [column('user_id', 'STRING'), column('state', 'STRING'), column('erase_after', 'TIMESTAMP')],
  },
];

let analyser: Analyser;
beforeAll(async () => {
  analyser = await startAnalyser();
});
afterAll(() => analyser.close());

test.each([
  ['counts', completenessQueries.counts],
  ['gaps', completenessQueries.gaps(10)],
  ['erasures that are due', completenessQueries.erasuresDue],
  ['users whose erasure is due', completenessQueries.whoIsDue],
])('GoogleSQL accepts the query for %s', async (_, sql) => {
  expect(await analyser.analyse(sql, known)).toMatchObject({ accepted: true });
});
