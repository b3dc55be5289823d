import { whyNoBigQuery } from '@aorta/bigquery-server';
import { test } from 'vitest';
import { bigQueryWith } from './loaded-views.ts';
import { zoneNamesSuite } from './zone-names.suite.ts';

const problem = await whyNoBigQuery();

if (problem !== undefined) test.skip(`BigQuery (${problem.message})`, () => {});
else zoneNamesSuite('BigQuery', bigQueryWith);
