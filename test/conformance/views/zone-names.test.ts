import { duckDbWith } from './loaded-views.ts';
import { zoneNamesSuite } from './zone-names.suite.ts';

/** `test/conformance/views/zone-names-bigquery.test.ts` runs the same suite on BigQuery. */

zoneNamesSuite('DuckDB', duckDbWith);
