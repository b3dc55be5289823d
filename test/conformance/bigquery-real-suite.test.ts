import { provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { describe } from 'vitest';
import { bigQuerySuite } from '../real/bigquery.suite.ts';

/** Runs the suite for real BigQuery projects against the local server, in order to test the suite itself. */
const problem = await whyNoBigQuery({ own: true });

describe.skipIf(problem !== undefined)(
  `the suite for real BigQuery projects${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    bigQuerySuite(() => provideBigQuery({ own: true }), 'the local server');
  },
);
