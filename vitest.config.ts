import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Goals in seconds: each file runs alone, or its goals would judge the machine.
const timed = ['test/faults/{event-hubs,kafka}/**/*.test.ts', 'test/faults/growth.test.ts'];
// Outages of a minute and more, named `*.outage.test.ts`: they wait for clocks and hardly use a processor.
const outages = ['{schemas,pipelines,connectors,infra,test}/**/*.outage.test.ts'];
// The fault suites that take a minute and more of both cores.
const campaign = [
  'infra/kafka/**/*.long.test.ts',
  'connectors/sources/event-hubs/checkpoints/write-requests.long.test.ts',
  'connectors/kafka-client/{faults,several-brokers}.long.test.ts',
  'test/conformance/bigquery-real-suite.test.ts',
  'test/e2e/{bigquery-apply,bigquery-bad-input,bigquery-bookkeeping,installed-packages,same-result,service-kafka}.test.ts',
  'test/faults/bigquery/**/*.test.ts',
  'test/faults/{backfill,crash,historical-pulls,kill,large-files}.test.ts',
];
// Hundreds of processes are started, each of which would else compile everything anew.
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
// Whole systems, started for a test.
const patience = { testTimeout: 600_000, hookTimeout: 120_000 };

// Unit tests sit beside their file. What crosses packages, and unit tests that take seconds (`*.long.test.ts`), are the
// project `whole`, so that `npm run check` stays under a minute. `npm test` runs both in at most 12 minutes; everything
// slower belongs to a project of `npm run test:campaign`. CI runs all of them.
export default defineConfig({
  test: {
    // By default one core is left to the person at the machine; most of these tests wait for processes anyway.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{schemas,pipelines,connectors,infra}/**/*.test.ts',
            'test/{architecture,model,catalogue,prose,released,bench}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/*.long.test.ts', ...outages],
          testTimeout: 20_000,
          // Modules here keep nothing that a test changes; loading them once per worker saves a third of the time.
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
          name: 'timed',
          include: timed,
          exclude: ['**/node_modules/**', ...outages],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...patience,
          env: compileCache,
        },
      },
      {
        // Needs accounts: `npm run real`, and never a part of `npm test`.
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
