import {
  type BigQueryControl,
  type CallKind,
  type Fault,
  type ProvidedBigQuery,
  provideBigQuery,
  whyNoBigQuery,
} from '@aorta/bigquery-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { takesAtMost } from '../../../infra/machine/goal.fixture.ts';
import { attempt, heldAt, newDataset, older, patience, type Where, wanted } from './place.ts';

/** Injects every fault into every kind of call. Checks the result and the recovery time. No record may be lost or duplicated. */

const problem = await whyNoBigQuery({ own: true });

/** Every kind of call that the warehouse makes to open the dataset and to land and merge batches, in the order of the calls. */
const kinds: readonly CallKind[] = [
  'datasets-get',
  'tables-list',
  'tables-get',
  'tables-patch',
  'table-data',
  'job-insert',
  'query-results',
  'tables-insert',
  'upload',
  'job-get',
  'tables-delete',
];

const status = (code: number, reason: string): Fault => ({ kind: 'status', status: code, reason });

describe.skipIf(problem !== undefined)(
  `BigQuery calls with injected faults${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    let provided: ProvidedBigQuery;
    let control: BigQueryControl;
    beforeAll(async () => {
      provided = await provideBigQuery({ own: true });
      control = provided.control!;
    });
    afterEach(() => control?.remove());
    afterAll(() => provided?.stop());

    /** Creates a dataset that contains a merged batch. Its tables lack a column, which the next process must add. */
    async function begun() {
      const where = await newDataset(provided);
      expect(await attempt(where, 1, { tables: older })).toBe('done');
      return where;
    }

    /** Like `attempt`, but with a shorter call timeout than the default. */
    const attempted = (where: Where, batches: number): Promise<string> => attempt(where, batches, { call_s: 1 });

    /** Makes jobs take a moment, so that the client has to poll them. */
    async function slowJobs(times: number | 'always' = 1): Promise<void> {
      const fault: Fault = { kind: 'job-runs', forMs: 300 };
      await control.inject({ on: 'upload', fault, times });
      await control.inject({ on: 'job-insert', about: '_merge_body_', fault, times });
    }

    test.each([
      ['403 rateLimitExceeded', status(403, 'rateLimitExceeded')],
      ['412 conditionNotMet', status(412, 'conditionNotMet')],
      // Proxies return this status without a reason.
      ['429', status(429, '')],
      ['500', status(500, 'internalError')],
      ['502', status(502, '')],
      ['503', status(503, 'backendError')],
      ['an undocumented reason', status(400, 'somethingNew')],
      ['a lost answer', { kind: 'reset', when: 'after' }],
      ['an answer that never comes', { kind: 'hang', when: 'after' }],
    ] as const)('the warehouse recovers if each call fails once with %s', async (_, fault) => {
      const where = await begun();
      const rules = await Promise.all(kinds.map((on) => control.inject({ on, fault })));
      await slowJobs();
      expect(await takesAtMost(patience.forMs, 'the recovery', () => attempted(where, 3))).toBe('done');
      const { hits } = await control.state();
      expect(kinds.filter((_kind, index) => hits[rules[index]!] !== 1)).toEqual([]);
      await control.remove();
      expect(await heldAt(where)).toEqual(wanted(3));
    });

    test('a call without permission is reported at once, and the batch is merged after the permission is granted', async () => {
      const where = await begun();
      for (const on of kinds) {
        const rule = await control.inject({ on, fault: status(403, 'accessDenied'), times: 'always' });
        await slowJobs('always');
        const code = await takesAtMost(patience.forMs / 2, 'the report', () => attempted(where, 2));
        expect([on, code]).toEqual([on, 'AORTA-BIGQUERY-FORBIDDEN']);
        expect((await control.state()).hits[rule], on).toBeGreaterThan(0);
        await control.remove();
      }
      expect(await attempted(where, 2)).toBe('done');
      expect(await heldAt(where)).toEqual(wanted(2));
    });

    test('a 404 for a job that was just created is retried', async () => {
      const where = await begun();
      const rules = await Promise.all(
        (['job-get', 'query-results'] as const).map((on) => control.inject({ on, fault: status(404, 'notFound'), times: 2 })),
      );
      await slowJobs();
      expect(await attempted(where, 2)).toBe('done');
      const { hits } = await control.state();
      expect(rules.map((rule) => hits[rule])).toEqual([2, 2]);
      await control.remove();
      expect(await heldAt(where)).toEqual(wanted(2));
    });

    test('if creating an object fails with a 409 but the object does not exist, the warehouse tries again', async () => {
      const where = await begun();
      const rules = [
        await control.inject({ on: 'tables-insert', about: 'aorta_landed_', fault: status(409, 'duplicate') }),
        await control.inject({ on: 'upload', fault: status(409, 'duplicate') }),
        await control.inject({ on: 'job-insert', about: '_merge_body_', fault: status(409, 'duplicate') }),
      ];
      expect(await attempted(where, 2)).toBe('done');
      const { hits } = await control.state();
      expect(rules.map((rule) => hits[rule])).toEqual([1, 1, 1]);
      await control.remove();
      expect(await heldAt(where)).toEqual(wanted(2));
    });

    test.each([
      // The message is unknown, but the state of the job shows that the statement failed inside its transaction.
      ['with an unknown message', { inTransaction: true, message: 'Query error: something new about table `x` at [3:1]' }],
      ['with only the known message', { message: 'Transaction is aborted due to concurrent update against table `x`.' }],
    ])('a merge that another transaction aborts (%s) is repeated under a different job id', async (_, facts) => {
      const where = await begun();
      const rule = await control.inject({
        on: 'job-insert',
        about: '_merge_body_',
        fault: { kind: 'job-fails', reason: 'invalidQuery', ...facts },
        times: 3,
      });
      expect(await attempted(where, 2)).toBe('done');
      expect((await control.state()).hits[rule]).toBe(3);
      await control.remove();
      expect(await heldAt(where)).toEqual(wanted(2));
    });

    test('a merge whose transaction fails every time is reported as refused after a few attempts', async () => {
      const where = await begun();
      const fault: Fault = {
        kind: 'job-fails',
        reason: 'invalidQuery',
        message: 'Query error: something new',
        inTransaction: true,
      };
      const rule = await control.inject({ on: 'job-insert', about: '_merge_body_', fault, times: 'always' });
      expect(await attempted(where, 2)).toBe('AORTA-BIGQUERY-REFUSED');
      expect((await control.state()).hits[rule]).toBeLessThan(10);
      await control.remove();
      expect(await attempted(where, 2)).toBe('done');
      expect(await heldAt(where)).toEqual(wanted(2));
    });
  },
);
