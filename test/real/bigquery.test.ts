import { provideBigQuery } from '@aorta/bigquery-server';
import { bigQuerySuite } from './bigquery.suite.ts';

/** Runs the suite against a real project with `npm run real` (docs/guides/real-services.md). */
bigQuerySuite(() => {
  if ((process.env.AORTA_BIGQUERY_PROJECT ?? '') === '')
    throw new Error('AORTA_BIGQUERY_PROJECT is not set: see docs/guides/real-services.md');
  return provideBigQuery();
}, 'a real project');
