import { whyNoBigQuery } from '@aorta/bigquery-server';
import { test } from 'vitest';
import { bigQueryWith } from './loaded-views.ts';
import { personDaysStoredSuite, personDaysSuite } from './person-days.suite.ts';
import { sleepNightsSuite } from './sleep-nights.suite.ts';
import { workoutsSuite } from './workouts.suite.ts';

/** The nights, workouts and days of BigQuery. In a file of their own, because the local server takes a minute for them. */

const problem = await whyNoBigQuery();

if (problem !== undefined) test.skip(`BigQuery (${problem.message})`, () => {});
else {
  for (const suite of [sleepNightsSuite, workoutsSuite, personDaysStoredSuite]) suite('BigQuery', bigQueryWith);
  personDaysSuite('BigQuery', bigQueryWith, ['own']);
}
