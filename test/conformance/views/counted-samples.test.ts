import { countedSamplesSuite } from './counted-samples.suite.ts';
import { impossibleTimesSuite } from './impossible-times.suite.ts';
import { duckDbWith } from './loaded-views.ts';

/** `test/conformance/views/counted-samples-bigquery.test.ts` runs the same suites on BigQuery. */

countedSamplesSuite('DuckDB', duckDbWith);
impossibleTimesSuite('DuckDB', duckDbWith);
