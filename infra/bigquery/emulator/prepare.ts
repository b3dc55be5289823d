/**
 * Fetches what the local BigQuery needs, and starts it once: the first start on a machine compiles for half a minute, which
 * no test is to wait for. `node prepare.ts` says why where that cannot be.
 */
import { LocalBigQuery } from '../local.ts';
import { BigQueryProblem } from '../problem.ts';

try {
  const local = await LocalBigQuery.start({});
  await local.stop();
} catch (error) {
  if (!(error instanceof BigQueryProblem)) throw error;
  process.stderr.write(`${error.message}. Tests that need the local BigQuery are skipped.\n`);
}
