import { labOrdersSuite } from './lab-orders.suite.ts';
import { duckDbWith } from './loaded-views.ts';

/** `test/conformance/views/lab-orders-bigquery.test.ts` runs the same suite on BigQuery. */

labOrdersSuite('DuckDB', duckDbWith);
