import { whyNoBigQuery } from '@aorta/bigquery-server';
import { test } from 'vitest';
import { labOrdersSuite } from './lab-orders.suite.ts';
import { bigQueryWith } from './loaded-views.ts';

const problem = await whyNoBigQuery();

if (problem !== undefined) test.skip(`BigQuery (${problem.message})`, () => {});
else labOrdersSuite('BigQuery', bigQueryWith);
