import { dockerAnswers, type ServerProblem } from '@aorta/machine';
import { pythonProblem } from './emulator/python.ts';
import { LocalBigQuery } from './local.ts';
import type { BigQueryOptions, ProvidedBigQuery } from './provided.ts';
import { realProject } from './real-project.ts';

/**
 * BigQuery for a test: the real project that AORTA_BIGQUERY_PROJECT names, else a server on this machine, whose emulator is
 * in a container where a Docker daemon answers, else of this machine's Python. Rejects with {@link ServerProblem}.
 */
export async function provideBigQuery(options: BigQueryOptions = {}): Promise<ProvidedBigQuery> {
  const real = realProject(options);
  if (real !== undefined) return real;
  return LocalBigQuery.start(options);
}

/** Why a test cannot have BigQuery, for the name of what is skipped; undefined where it can. In CI it fails then: `test/run-all.ts`. */
export async function whyNoBigQuery(options: BigQueryOptions = {}): Promise<ServerProblem | undefined> {
  if (realProject(options) !== undefined) return undefined;
  const problem = await pythonProblem();
  return problem !== undefined && (await dockerAnswers()) ? undefined : problem;
}
