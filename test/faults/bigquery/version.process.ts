import { setTimeout as sleep } from 'node:timers/promises';
import { landUpTo, older, openAt, patience } from './place.ts';

/**
 * Runs a worker of one version. The worker lands the batches of its partition one by one, merges them if its role is `merges`,
 * and prints its progress. On SIGTERM, it finishes the current batch and exits.
 *
 * `node version.process.ts ADDRESS PROJECT DATASET older|newer PARTITION BATCHES merges|lands`
 */
const [apiEndpoint = '', project = '', dataset = '', version = '', partition, batches, role] = process.argv.slice(2);
let ends = false;
process.once('SIGTERM', () => {
  ends = true;
});
const warehouse = await openAt(
  { apiEndpoint, project, dataset },
  {
    tables: version === 'older' ? older : undefined,
    owns: () => role === 'merges',
    workers: 2,
    merge_every_s: 0.2,
    // This test injects no faults. The timeouts are long, so that the test succeeds on a busy machine.
    call_s: 60,
    patience: { ...patience, forMs: 300_000 },
    worker: `${version}-${partition}`,
  },
);
process.stdout.write('opened\n');
for (let landed = 1; landed <= Number(batches) && !ends; landed++) {
  await landUpTo(warehouse, landed, 'i', Number(partition));
  process.stdout.write(`landed ${landed}\n`);
  await warehouse.merge('due');
  // Pauses after each batch, so that the two versions run at the same time.
  await sleep(200);
}
await warehouse.settled!();
await warehouse.close();
