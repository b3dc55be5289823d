import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/**
 * The parts of the campaign: all tests that `npm test` leaves out because they are slow or have a goal in seconds. Each part takes
 * at most 15 minutes alone. Every pattern matches at least one file, and no file belongs to two parts.
 */
export const parts: Readonly<Record<string, readonly string[]>> = {
  kafka: [
    'infra/kafka/**/*.long.test.ts',
    'connectors/kafka/client/{faults,producing,reading,rebalance,security,several-brokers}.long.test.ts',
    'connectors/kafka/streams/{conformance,faults,workers}.long.test.ts',
    'test/conformance/{sources/kafka/source,webhook-topic-source}.test.ts',
    'test/e2e/kafka-streams.test.ts',
  ],
  'kafka-faults': ['test/faults/kafka/**/*.test.ts'],
  'event-hubs': [
    'connectors/event-hubs/checkpoints/write-requests.long.test.ts',
    'test/conformance/sources/event-hubs/source.test.ts',
    'test/e2e/event-hubs-people.test.ts',
    'test/faults/event-hubs/**/*.test.ts',
  ],
  bigquery: [
    'infra/bigquery/docker/container-emulator.long.test.ts',
    'connectors/bigquery/{bigquery-warehouse,changed-person-days,dataset-plan}.long.test.ts',
    'connectors/bigquery/client/credentials.long.test.ts',
    'test/conformance/{bigquery-real-suite,bigquery-views}.test.ts',
    'test/conformance/views/{counted-samples,glucose-days,lab-orders,measures,questions,zone-names}-bigquery.test.ts',
    'test/conformance/views/bigquery-nights.test.ts',
    'test/e2e/{bigquery-apply,bigquery-bad-input,bigquery-bookkeeping,bigquery-people}.test.ts',
    'test/faults/bigquery/**/*.test.ts',
  ],
  duckdb: [
    'connectors/duckdb/{changed-person-days,kept-tables}.long.test.ts',
    'connectors/duckdb/{evolution,memory,privacy,table-differences,tidiness}.long.test.ts',
    'test/conformance/{duckdb-histories,privacy}.test.ts',
    'test/bench/views/views-speed.test.ts',
    'test/faults/growth.test.ts',
  ],
  webhook: ['test/faults/webhook/{balanced,burst,full-disk,frozen,idle-connections,kill,many-kills,side-by-side}.test.ts'],
  service: [
    'infra/service/webhooks/answer-time.outage.test.ts',
    'test/e2e/service-kafka.test.ts',
    'test/faults/reference-service/{load,many-kills,ninety-days,twenty-users}.test.ts',
    'test/faults/service-away.outage.test.ts',
    'test/service-contract/schemathesis/schemathesis.long.test.ts',
  ],
  pulls: ['test/e2e/{pulls,status}.test.ts', 'test/faults/{backfill,historical-pulls,pull-notices}.test.ts'],
  kills: [
    'test/e2e/{demo-interrupted,installed-packages,npm-exec,same-result}.test.ts',
    'test/faults/{bad-place,full-disk,kill,large-files,many-crashes}.test.ts',
    'test/released/segments.long.test.ts',
  ],
  damage: ['test/damage/*.test.ts', 'test/e2e/older-streams.test.ts'],
  uses: ['test/uses/*.test.ts'],
};

/** Returns the test files of a part, as paths from the root of the repository. */
export function filesOf(part: string): string[] {
  return parts[part]!.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted();
}
