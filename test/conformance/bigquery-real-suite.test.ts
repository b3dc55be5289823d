import { provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { describe } from 'vitest';
import { bigQuerySuite } from '../real/bigquery.suite.ts';

/** The suite for a real project, here against the local server: so that it works when there is one. */
const problem = await whyNoBigQuery({ own: true });

describe.skipIf(problem !== undefined)(
  `the suite of real projects${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    bigQuerySuite(() => provideBigQuery({ own: true }), 'the local server');
  },
);
