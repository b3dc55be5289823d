import { whyNoBigQuery } from '@aorta/bigquery-server';
import { test } from 'vitest';
import { connectionsSuite } from './connections.suite.ts';
import { countedSamplesSuite } from './counted-samples.suite.ts';
import { dayRulesSuite } from './day-rules.suite.ts';
import { impossibleTimesSuite } from './impossible-times.suite.ts';
import { bigQueryWith } from './loaded-views.ts';

const problem = await whyNoBigQuery();

if (problem !== undefined) test.skip(`BigQuery (${problem.message})`, () => {});
else
  for (const suite of [countedSamplesSuite, dayRulesSuite, impossibleTimesSuite, connectionsSuite])
    suite('BigQuery', bigQueryWith);
