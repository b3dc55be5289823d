import { dockerAnswers, type ServerProblem } from '@aorta/machine';
import { pythonProblem } from './emulator/python.ts';
import { LocalBigQuery } from './local.ts';
import type { BigQueryOptions, ProvidedBigQuery } from './provided.ts';
import { realProject } from './real-project.ts';

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
