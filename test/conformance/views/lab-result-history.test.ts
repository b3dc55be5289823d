import { whyNoBigQuery } from '@aorta/bigquery-server';
import { labResultHistorySuite } from './lab-result-history.suite.ts';
import { bigQueryWith, duckDbWith } from './loaded-views.ts';

labResultHistorySuite('DuckDB', duckDbWith);
if ((await whyNoBigQuery()) === undefined) labResultHistorySuite('BigQuery', bigQueryWith);
