import { whyNoBigQuery } from '@aorta/bigquery-server';
import { bigQueryWith, duckDbWith } from './loaded-views.ts';
import { peopleSuite } from './people.suite.ts';

peopleSuite('DuckDB', duckDbWith);
if ((await whyNoBigQuery()) === undefined) peopleSuite('BigQuery', bigQueryWith);
