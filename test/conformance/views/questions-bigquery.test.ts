import { whyNoBigQuery } from '@aorta/bigquery-server';
import { test } from 'vitest';
import { bigQueryWith } from './loaded-views.ts';
import { questionsSuite } from './questions.suite.ts';

/** The queries of docs/guides/questions.md, in GoogleSQL. */

const problem = await whyNoBigQuery();

if (problem !== undefined) test.skip(`BigQuery (${problem.message})`, () => {});
else questionsSuite('BigQuery', bigQueryWith, ({ googleSql }) => googleSql);
