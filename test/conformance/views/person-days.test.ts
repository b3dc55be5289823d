import { duckDbWith } from './loaded-views.ts';
import { personDaysStoredSuite, personDaysSuite } from './person-days.suite.ts';

personDaysStoredSuite('DuckDB', duckDbWith);
personDaysSuite('DuckDB', duckDbWith);
