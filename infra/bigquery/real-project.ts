import { BigQuery } from '@google-cloud/bigquery';
import type { BigQueryOptions, ProvidedBigQuery } from './provided.ts';

/** Returns the project in AORTA_BIGQUERY_PROJECT; undefined if the variable is not set, or if the test needs its own server. */
export function realProject({ own = false }: BigQueryOptions): ProvidedBigQuery | undefined {
  const { AORTA_BIGQUERY_PROJECT: project = '', AORTA_BIGQUERY_LOCATION: location } = process.env;
  if (project === '' || own) return undefined;
  return {
    provider: 'project',
    apiEndpoint: undefined,
    project,
    location,
    client: (options) => new BigQuery({ projectId: project, ...(location === undefined ? {} : { location }), ...options }),
    control: undefined,
    controlPort: undefined,
    stop: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
