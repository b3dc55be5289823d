import { duckDbWith } from './loaded-views.ts';
import { sleepNightsSuite } from './sleep-nights.suite.ts';

sleepNightsSuite('DuckDB', duckDbWith);
