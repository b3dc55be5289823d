import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const timed = ['test/faults/{event-hubs,kafka}/**/*.test.ts'];
// Hundreds of processes are started, each of which would else compile everything anew.
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
// Whole systems, started for a test.
const patience = { testTimeout: 600_000, hookTimeout: 120_000 };

// Unit tests sit beside their file. What crosses packages, and unit tests that take seconds (`*.long.test.ts`), are a
// project of their own, so that `npm run check` stays under a minute.
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
            'test/{house,model,catalogue,released,bench}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/*.long.test.ts'],
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
          exclude: ['**/node_modules/**', ...timed],
          ...patience,
          env: compileCache,
        },
      },
      {
        // Promises in seconds: no other test may run beside them, or they would judge the machine.
        test: {
          name: 'timed',
          include: timed,
          exclude: ['**/node_modules/**'],
          fileParallelism: false,
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
