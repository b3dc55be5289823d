import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  type BigQueryControl,
  type CallKind,
  type Fault,
  type ProvidedBigQuery,
  provideBigQuery,
  whyNoBigQuery,
} from '@aorta/bigquery-server';
import { isAortaError, type Step } from '@aorta/telemetry';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { carryOn, heldAt, newDataset, openAt, patience, type Where, wanted } from './place.ts';

const problem = await whyNoBigQuery({ own: true });
const life = join(import.meta.dirname, 'life.process.ts');

/** Every kind of call by which the warehouse lands and merges. */
const kinds: readonly CallKind[] = [
  'upload',
  'job-insert',
  'job-get',
  'query',
  'query-results',
  'tables-get',
  'tables-insert',
  'tables-patch',
  'tables-list',
  'tables-delete',
  'datasets-get',
];

const status = (code: number, reason: string): Fault => ({ kind: 'status', status: code, reason });

describe.skipIf(problem !== undefined)(
  `a warehouse in BigQuery under faults${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    let provided: ProvidedBigQuery;
    let control: BigQueryControl;
    beforeAll(async () => {
      provided = await provideBigQuery({ own: true });
      control = provided.control!;
    });
    afterEach(async () => {
      await control?.remove();
      await control?.quotas('off');
    });
    afterAll(() => provided?.stop());

    /** Opens, lands and merges up to so many batches; gives the code of the error by which that ended. */
    async function attempt(where: Where, batches: number): Promise<string> {
      try {
        const warehouse = await openAt(where);
        try {
          await carryOn(warehouse, batches);
          return 'done';
        } finally {
          await warehouse.close().catch(() => {});
        }
      } catch (error) {
        if (isAortaError(error)) return error.code;
        throw error;
      }
    }

    /** The same fault once at each kind of call, in one dataset, a kind after the other. */
    describe.each([
      ['403 rateLimitExceeded', status(403, 'rateLimitExceeded')],
      ['503', status(503, 'backendError')],
      ['a lost answer', { kind: 'reset', when: 'after' }],
      ['an answer that never comes', { kind: 'hang', when: 'after' }],
    ] as const)('%s', (_, fault) => {
      test('at every call: nothing is lost, nothing doubled, in time', async () => {
        const where = await newDataset(provided);
        expect(await attempt(where, 1)).toBe('done');
        for (const on of kinds) await control.inject({ on, fault });
        const begun = performance.now();
        expect(await attempt(where, 3)).toBe('done');
        expect(performance.now() - begun).toBeLessThan(patience.forMs * 2);
        const { hits } = await control.state();
        // What is used to land and to merge was hit.
        expect(
          Object.values(hits)
            .slice(-kinds.length)
            .filter((count) => count === 1).length,
        ).toBeGreaterThanOrEqual(4);
        await control.remove();
        expect(await heldAt(where)).toEqual(wanted(3));
      });
    });

    test.each(['upload', 'job-insert'] as const)(
      '%s without a permission: said at once, by its code, and mended by giving it',
      async (on) => {
        const where = await newDataset(provided);
        expect(await attempt(where, 1)).toBe('done');
        await control.inject({ on, fault: status(403, 'accessDenied'), times: 'always' });
        const begun = performance.now();
        expect(await attempt(where, 2)).toBe('AORTA-BIGQUERY-FORBIDDEN');
        expect(performance.now() - begun).toBeLessThan(patience.forMs / 2);
        await control.remove();
        expect(await attempt(where, 2)).toBe('done');
        expect(await heldAt(where)).toEqual(wanted(2));
      },
    );

    test.each(['jobBackendError', 'quotaExceeded'])('jobs that fail with %s are done again under another id', async (reason) => {
      const where = await newDataset(provided);
      expect(await attempt(where, 1)).toBe('done');
      await control.inject({ on: 'upload', fault: { kind: 'job-fails', reason }, times: 2 });
      await control.inject({ on: ['job-insert', 'query'], fault: { kind: 'job-fails', reason }, about: 'MERGE', times: 2 });
      expect(await attempt(where, 2)).toBe('done');
      expect(Object.values((await control.state()).hits).slice(-2)).toEqual([2, 2]);
      expect(await heldAt(where)).toEqual(wanted(2));
    });

    test('uploads that are cut, and jobs that run for a while', async () => {
      const where = await newDataset(provided);
      await control.inject({ on: 'upload', fault: { kind: 'cut', afterBytes: 500 }, times: 2 });
      await control.inject({
        on: ['job-insert', 'upload'],
        fault: { kind: 'job-runs', forMs: 1500 },
        about: 'configuration',
        times: 2,
      });
      expect(await attempt(where, 2)).toBe('done');
      expect(await heldAt(where)).toEqual(wanted(2));
    });

    test.each(['land:begun', 'merge:durable', 'batch:position'] as const satisfies readonly Step[])(
      'kill -9 at %s',
      async (step) => {
        const where = await newDataset(provided);
        const live = async (until: string): Promise<unknown[]> => {
          const { apiEndpoint, project, dataset } = where;
          return once(spawn(process.execPath, [life, apiEndpoint, project, dataset, until, '2'], { stdio: 'inherit' }), 'exit');
        };
        expect(await live(step)).toEqual([null, 'SIGKILL']);
        expect(await live('never')).toEqual([0, null]);
        expect(await heldAt(where)).toEqual(wanted(2));
      },
    );

    test('the same batch by two workers at once', async () => {
      const where = await newDataset(provided);
      const workers = [await openAt(where, { worker: 'one' }), await openAt(where, { worker: 'two', owns: () => false })];
      await Promise.all(workers.map((worker) => carryOn(worker, 2)));
      for (const worker of workers) await worker.close();
      expect(await attempt(where, 2)).toBe('done');
      expect(await heldAt(where)).toEqual(wanted(2));
    });
  },
);
