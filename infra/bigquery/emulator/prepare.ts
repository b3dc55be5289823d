/**
 * Fetches what the local BigQuery needs, and starts it once: the first start on a machine compiles for half a minute, which
 * no test is to wait for. `node prepare.ts` says why where that cannot be.
 */
import { ServerProblem } from '@aorta/machine';
import { LocalBigQuery } from '../local.ts';

try {
  await using _local = await LocalBigQuery.start({});
} catch (error) {
  if (!(error instanceof ServerProblem)) throw error;
  process.stderr.write(`${error.message}. Tests that need the local BigQuery are skipped.\n`);
}
