import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type BigQueryControl, type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import type { Step } from '@aorta/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { attempt, heldAt, newDataset, patience, wanted } from './place.ts';

const problem = await whyNoBigQuery({ own: true });
const program = join(import.meta.dirname, 'life.process.ts');

describe.skipIf(problem !== undefined)(
  `a BigQuery warehouse with injected faults${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    let provided: ProvidedBigQuery;
    let control: BigQueryControl;
    beforeAll(async () => {
      provided = await provideBigQuery({ own: true });
      control = provided.control!;
    });
    afterEach(() => control?.remove());
    afterAll(() => provided?.stop());

    test.each(['jobBackendError', 'quotaExceeded'])('jobs that fail with %s are retried under a new id', async (reason) => {
      const where = await newDataset(provided);
      expect(await attempt(where, 1)).toBe('done');
      await control.inject({ on: 'upload', fault: { kind: 'job-fails', reason }, times: 2 });
      await control.inject({ on: ['job-insert', 'query'], fault: { kind: 'job-fails', reason }, about: 'MERGE', times: 2 });
      expect(await attempt(where, 2)).toBe('done');
      expect(Object.values((await control.state()).hits).slice(-2)).toEqual([2, 2]);
      expect(await heldAt(where)).toEqual(wanted(2));
    });

    test.each([
      ['upload', 'accessDenied', 'AORTA-BIGQUERY-FORBIDDEN'],
      ['upload', 'invalid', 'AORTA-BIGQUERY-REFUSED'],
      ['upload', 'quotaExceeded', 'AORTA-BIGQUERY-QUOTA'],
      ['_merge_body_', 'accessDenied', 'AORTA-BIGQUERY-FORBIDDEN'],
      ['_merge_body_', 'bytesBilledLimitExceeded', 'AORTA-BIGQUERY-CAP'],
      ['_merge_body_', 'notFound', 'AORTA-BIGQUERY-MISSING'],
    ])('a failed job (%s, %s) is repeated after the cause of the failure is fixed', async (about, reason, code) => {
      const where = await newDataset(provided);
      const on = about === 'upload' ? 'upload' : 'job-insert';
      const rule = { on, times: 'always', fault: { kind: 'job-fails', reason } } as const;
      await control.inject(about === 'upload' ? rule : { ...rule, about });
      // Each restart of the process leaves one more failed job.
      const impatient = { patience: { ...patience, forMs: 500 } };
      for (let times = 0; times < 3; times++) expect(await attempt(where, 1, impatient)).toBe(code);
      await control.remove();
      expect(await attempt(where, 1)).toBe('done');
      expect(await heldAt(where)).toEqual(wanted(1));
    });

    test('no record is lost if uploads are interrupted and jobs are slow', async () => {
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
      'no record is lost or duplicated if a worker is killed at %s',
      async (step) => {
        const where = await newDataset(provided);
        const runWorker = async (until: string): Promise<unknown[]> => {
          const { apiEndpoint, project, dataset } = where;
          return once(
            spawn(process.execPath, [program, apiEndpoint!, project, dataset, until, '2'], { stdio: 'inherit' }),
            'exit',
          );
        };
        expect(await runWorker(step)).toEqual([null, 'SIGKILL']);
        expect(await runWorker('never')).toEqual([0, null]);
        expect(await heldAt(where)).toEqual(wanted(2));
      },
    );
  },
);
