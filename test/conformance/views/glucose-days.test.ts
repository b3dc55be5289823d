import { glucoseDaysSuite } from './glucose-days.suite.ts';
import { duckDbWith } from './loaded-views.ts';

/** `test/conformance/views/glucose-days-bigquery.test.ts` runs the same suite on BigQuery. */

glucoseDaysSuite('DuckDB', duckDbWith);
