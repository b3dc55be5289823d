/**
 * Installs the local BigQuery and starts it once. The first start takes half a minute, because Python compiles its files, and
 * tests should not wait for that. `node prepare.ts` prints the reason if the server cannot start.
 */
import { ServerProblem } from '@aorta/machine';
import { provideBigQuery } from '../provide.ts';

try {
  await using _local = await provideBigQuery({ own: true });
} catch (error) {
  if (!(error instanceof ServerProblem)) throw error;
  process.stderr.write(`Tests that need the local BigQuery are skipped: ${error.message}\n`);
}
