import { defineConfig } from 'vitest/config';

// Unit tests sit beside their file; what crosses packages is a project of its own, so that `npm run check` stays under a minute.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{schemas,pipelines,connectors,infra}/**/*.test.ts', 'test/{house,model}/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'whole',
          include: ['test/{e2e,faults,conformance,docs}/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
