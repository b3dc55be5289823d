import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { parts } from './test/run/parts.ts';

// Tests that check time limits. Each file runs alone, so that other tests do not slow it down.
const timed = [
  'test/faults/{event-hubs,kafka}/**/*.test.ts',
  'test/faults/reference-service/{load,ninety-days,twenty-users}.test.ts',
];
// Timed tests that mostly wait for timeouts. Two files run at a time.
const waiting = ['test/faults/event-hubs/{connections,machines}.test.ts', 'test/faults/kafka/{bigquery,broker,machines}.test.ts'];
// Tests that wait for a minute or more, for example during an outage. They need little CPU.
const outages = ['{schemas,pipelines,connectors,infra,test}/**/*.outage.test.ts', 'test/faults/growth.test.ts'];
// All tests of the campaign. The projects `outages`, `waiting` and `timed` run some of them; the project `campaign` runs the rest.
const campaign = Object.values(parts).flat();
// The programs under test print other commands if npm starts them.
const withoutNpm = { npm_command: '' };
// The tests start hundreds of processes. The cache lets these processes share compiled modules.
const environment = { ...withoutNpm, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
// Everyday files that take longest, the longest first.
const longest = [
  'test/docs/docs.test.ts',
  'test/conformance/duckdb.test.ts',
  'test/faults/bad-input.test.ts',
  'test/e2e/reference-service.test.ts',
  'test/e2e/cli.test.ts',
  'test/faults/reference-service/kill.test.ts',
];
/** Starts the longest files first. Otherwise they would run alone at the end, on one core. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
// Longer than the limits of all waits in a test, so that a wait that takes too long can say what it waited for.
const patience = { testTimeout: 600_000, hookTimeout: 300_000 };

// Unit tests are next to the file that they test. The project `whole` runs tests that cross packages, and unit tests that take
// seconds (`*.long.test.ts`). So `npm run check`, which runs only `unit`, takes about two minutes. `npm test` runs `unit` and
// `whole` in at most 12 minutes, and `npm run test:campaign` runs the slower tests (`test/run/parts.ts`). CI runs `npm test`.
export default defineConfig({
  test: {
    // The default leaves one core free, but most of these tests only wait for processes.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{schemas,pipelines,connectors,infra}/**/*.test.ts',
            'test/{architecture,model,catalogue,prose,released,bench,run}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/*.long.test.ts', ...campaign],
          ...patience,
          // The tests change no module state. Loading modules once per worker saves a third of the time.
          isolate: false,
          env: withoutNpm,
        },
      },
      {
        test: {
          name: 'whole',
          include: [
            'test/{e2e,faults,conformance,docs,service-contract}/**/*.test.ts',
            '{schemas,pipelines,connectors,infra}/**/*.long.test.ts',
            'test/{catalogue,released}/**/*.long.test.ts',
          ],
          exclude: ['**/node_modules/**', ...campaign],
          ...patience,
          env: environment,
        },
      },
      {
        test: {
          name: 'campaign',
          include: campaign,
          exclude: ['**/node_modules/**', ...outages, ...waiting, ...timed],
          ...patience,
          env: environment,
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
          env: environment,
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
          env: environment,
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
          env: environment,
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
