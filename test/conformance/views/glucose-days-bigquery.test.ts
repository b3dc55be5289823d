import { whyNoBigQuery } from '@aorta/bigquery-server';
import { test } from 'vitest';
import { glucoseDaysSuite } from './glucose-days.suite.ts';
import { bigQueryWith } from './loaded-views.ts';

const problem = await whyNoBigQuery();

if (problem !== undefined) test.skip(`BigQuery (${problem.message})`, () => {});
else glucoseDaysSuite('BigQuery', bigQueryWith);
