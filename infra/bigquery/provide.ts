import { dockerAnswers, type ServerProblem } from '@aorta/machine';
import { BigQuery } from '@google-cloud/bigquery';
import { pythonProblem } from './emulator/python.ts';
import { type BigQueryOptions, LocalBigQuery, type ProvidedBigQuery } from './local.ts';

/** Returns the project in AORTA_BIGQUERY_PROJECT; undefined if the variable is not set, or if the test needs its own server. */
function realProject({ own = false }: BigQueryOptions): ProvidedBigQuery | undefined {
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

/**
 * Provides BigQuery for a test: the real project in AORTA_BIGQUERY_PROJECT, or a server on this machine if the variable is not
 * set. The server's emulator runs in a container if a Docker daemon answers, and otherwise with this machine's Python. Rejects
 * with {@link ServerProblem} if the server cannot start.
 */
export async function provideBigQuery(options: BigQueryOptions = {}): Promise<ProvidedBigQuery> {
  const real = realProject(options);
  if (real !== undefined) return real;
  return LocalBigQuery.start(options);
}

/**
 * Returns the reason why a test must be skipped, or undefined if BigQuery is available. In CI, `npm test` fails if a test
 * is skipped.
 */
export async function whyNoBigQuery(options: BigQueryOptions = {}): Promise<ServerProblem | undefined> {
  if (realProject(options) !== undefined) return undefined;
  const problem = await pythonProblem();
  return problem !== undefined && (await dockerAnswers()) ? undefined : problem;
}
