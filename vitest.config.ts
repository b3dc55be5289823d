import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Tests that check time limits. Each file runs alone, so that other tests do not slow it down.
const timed = ['test/faults/{event-hubs,kafka}/**/*.test.ts', 'test/faults/reference-service/ninety-days.test.ts'];
// Timed tests that mostly wait for timeouts. Two files run at a time.
const waiting = ['test/faults/event-hubs/{connections,machines}.test.ts', 'test/faults/kafka/{bigquery,broker,machines}.test.ts'];
// Tests that wait for a minute or more, for example during an outage. They need little CPU.
const outages = ['{schemas,pipelines,connectors,infra,test}/**/*.outage.test.ts', 'test/faults/growth.test.ts'];
// Slow suites, and suites whose goals in seconds a busy machine misses.
const campaign = [
  'infra/bigquery/docker/container-emulator.long.test.ts',
  'infra/kafka/**/*.long.test.ts',
  'connectors/sources/event-hubs/checkpoints/write-requests.long.test.ts',
  'connectors/kafka-client/{faults,reading,rebalance,several-brokers}.long.test.ts',
  'connectors/kafka-client/access/access.long.test.ts',
  'connectors/streams/kafka/{faults,workers}.long.test.ts',
  'connectors/warehouses/bigquery/{bigquery-warehouse,planning}.long.test.ts',
  'connectors/warehouses/bigquery/client/credentials.long.test.ts',
  'connectors/warehouses/duckdb/keeping/keeping.long.test.ts',
  'connectors/warehouses/duckdb/{evolution,memory,privacy,table-differences,tidiness}.long.test.ts',
  'test/conformance/{bigquery-real-suite,bigquery-views,privacy,version-upgrade-bigquery,version-upgrade-duckdb}.test.ts',
  'test/conformance/sources/{event-hubs,kafka}/source.test.ts',
  'test/conformance/views/bigquery-nights.test.ts',
  'test/conformance/views/measures-bigquery.test.ts',
  'test/e2e/{bigquery-apply,bigquery-bad-input,bigquery-bookkeeping,bigquery-people}.test.ts',
  'test/e2e/{event-hubs-people,installed-packages,kafka-streams,pulls,same-result,service-kafka,status}.test.ts',
  'test/faults/bigquery/**/*.test.ts',
  'test/faults/{backfill,bad-place,crash,full-disk,historical-pulls,kill,large-files,pull-notices}.test.ts',
  'test/faults/reference-service/many-kills.test.ts',
  'test/faults/webhook/{balanced,burst,full-disk,idle-connections,many-kills,side-by-side}.test.ts',
  'test/released/segments.long.test.ts',
  'test/service-contract/schemathesis/schemathesis.long.test.ts',
];
// The tests start hundreds of processes. The cache lets these processes share compiled modules.
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
// Timeouts for tests that start whole systems.
const patience = { testTimeout: 600_000, hookTimeout: 120_000 };

// Unit tests are next to the file that they test. The project `whole` runs tests that cross packages, and unit tests that take
// seconds (`*.long.test.ts`). So `npm run check`, which runs only `unit`, takes less than a minute. `npm test` runs `unit` and
// `whole` in at most 12 minutes, and `npm run test:campaign` runs the slower projects. CI runs `npm test`.
export default defineConfig({
  test: {
    // The default leaves one core free, but most of these tests only wait for processes.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{schemas,pipelines,connectors,infra}/**/*.test.ts',
            'test/{architecture,model,catalogue,prose,released,bench,service-contract}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/*.long.test.ts', ...outages],
          testTimeout: 20_000,
          // The tests change no module state. Loading modules once per worker saves a third of the time.
          isolate: false,
        },
      },
      {
        test: {
          name: 'whole',
          include: [
            'test/{e2e,faults,conformance,docs}/**/*.test.ts',
            '{schemas,pipelines,connectors,infra}/**/*.long.test.ts',
            'test/{catalogue,released}/**/*.long.test.ts',
          ],
          exclude: ['**/node_modules/**', ...campaign, ...outages, ...timed],
          ...patience,
          env: compileCache,
        },
      },
      {
        test: {
          name: 'campaign',
          include: campaign,
          exclude: ['**/node_modules/**', ...outages],
          ...patience,
          env: compileCache,
        },
      },
      {
        test: {
          name: 'outages',
          include: outages,
          exclude: ['**/node_modules/**'],
          maxWorkers: 6,
          sequence: { groupOrder: 1 },
          ...patience,
          env: compileCache,
        },
      },
      {
        test: {
          name: 'waiting',
          include: waiting,
          exclude: ['**/node_modules/**'],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          ...patience,
          env: compileCache,
        },
      },
      {
        test: {
          name: 'timed',
          include: timed,
          exclude: ['**/node_modules/**', ...outages, ...waiting],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
          ...patience,
          env: compileCache,
        },
      },
      {
        // These tests need cloud accounts, so only `npm run real` runs them, never `npm test`.
        test: {
          name: 'real',
          include: ['test/real/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          ...patience,
        },
      },
    ],
  },
});
