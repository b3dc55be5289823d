import { type Junction, JunctionError } from '@junction-api/sdk';
import * as schemas from '@junction-api/sdk/serialization';
import { expect } from 'vitest';
import type { SdkCall } from './sdk-call.ts';
import { newUser, START, type World } from './world.ts';

const unknown = crypto.randomUUID();
const RUN_MS = 120_000;
let keys = 0;

/** Lets the sandbox make an unmatched result, and returns the end of its run. */
async function run({ sdk, service }: World, test: Junction.UnmatchedResultTestCase) {
  const idempotencyKey = `key ${keys++}`;
  const { runId } = await sdk.labTests.createUnmatchedResultTest({ idempotencyKey, case: test, orderSource: 'managed' });
  await service.jobs.advanceTo(service.clock.now() + RUN_MS);
  return sdk.labTests.getUnmatchedResultTest({ runId });
}

const newResult = async (world: World, test: Junction.UnmatchedResultTestCase = 'match_demo'): Promise<string> =>
  (await run(world, test)).rawResultId!;

const refused = (statusCode: number) => ({ constructor: JunctionError, statusCode });

/** How a program reviews unmatched results with the SDK, by operation. */
export const reviewCalls: Readonly<Record<string, SdkCall>> = {
  list_unmatched_results: {
    answer: schemas.ListUnmatchedResultResponse,
    async call(world) {
      const { labTests } = world.sdk;
      const ids = [await newResult(world, 'no_match'), await newResult(world, 'multiple_demo_match'), await newResult(world)];
      const first = await labTests.listUnmatchedResults({ limit: 2 });
      expect(first).toMatchObject({ total: 3, nextCursor: expect.any(String) });
      const second = await labTests.listUnmatchedResults({ limit: 2, nextCursor: first.nextCursor! });
      expect(second).toMatchObject({ total: 3, nextCursor: null });
      expect([...first.data!, ...second.data!].map(({ id }) => id)).toEqual(ids.reverse());
      const filters = { decisionCode: 'no_match', labSlug: 'quest', status: 'pending_customer_review' } as const;
      const dates = { createdAtStart: '2026-01-01', createdAtEnd: '2026-01-01' };
      expect((await labTests.listUnmatchedResults({ ...filters, ...dates })).data).toMatchObject([{ id: ids[2] }]);
      expect((await labTests.listUnmatchedResults({ searchInput: 'Nobody' })).total).toBe(0);
    },
  },
  get_unmatched_result: {
    answer: schemas.GetUnmatchedResultResponse,
    async call(world) {
      const { rawResultId, orders } = await run(world, 'match_sample_id_mismatch_demo');
      const { orderId, userId } = orders!.target!;
      expect(await world.sdk.labTests.getUnmatchedResult({ rawResultId: rawResultId! })).toMatchObject({
        id: rawResultId,
        status: 'pending_customer_review',
        decisionCode: 'match_sample_id_mismatch_demo',
        lab: { slug: 'quest' },
        allowedActions: ['accept', 'reject', 'unsure'],
        candidateGroups: [{ userId, candidates: [{ orderId, candidateType: 'provenance_order', confidenceLevel: 'low' }] }],
      });
      await expect(world.sdk.labTests.getUnmatchedResult({ rawResultId: unknown })).rejects.toMatchObject(refused(404));
    },
  },
  accept_unmatched_result: {
    answer: schemas.ClientFacingOrder,
    async call(world) {
      const { labTests } = world.sdk;
      const { rawResultId: id, orders } = await run(world, 'match_demo');
      const rawResultId = id!;
      await expect(labTests.acceptUnmatchedResult({ rawResultId })).rejects.toMatchObject(refused(400));
      const { orderId } = orders!.target!;
      const order = await labTests.acceptUnmatchedResult({ rawResultId, orderId, note: 'n' });
      expect(order).toMatchObject({ id: orderId, status: 'completed', interpretation: 'normal' });
      await expect(labTests.acceptUnmatchedResult({ rawResultId, orderId })).rejects.toMatchObject(refused(409));
      const userId = await newUser(world);
      const unmatched = await newResult(world, 'no_match');
      expect(await labTests.acceptUnmatchedResult({ rawResultId: unmatched, userId })).toMatchObject({
        userId,
        status: 'completed',
      });
      await expect(labTests.acceptUnmatchedResult({ rawResultId: unknown, orderId })).rejects.toMatchObject(refused(404));
    },
  },
  resolve_unmatched_result: {
    answer: schemas.UnmatchedResult,
    async call(world) {
      const { labTests } = world.sdk;
      const [rejected, doubtful] = [await newResult(world), await newResult(world)];
      expect(await labTests.resolveUnmatchedResult({ rawResultId: rejected, action: 'reject', note: 'n' })).toMatchObject({
        id: rejected,
        status: 'resolved',
        resolutionAction: 'reject',
        note: 'n',
        allowedActions: [],
      });
      expect(await labTests.resolveUnmatchedResult({ rawResultId: doubtful, action: 'unsure' })).toMatchObject({
        status: 'pending_ops_review',
      });
      const again = labTests.resolveUnmatchedResult({ rawResultId: rejected, action: 'unsure' });
      await expect(again).rejects.toMatchObject(refused(409));
      const missing = labTests.resolveUnmatchedResult({ rawResultId: unknown, action: 'reject' });
      await expect(missing).rejects.toMatchObject(refused(404));
    },
  },
  list_unmatched_result_test_cases: {
    answer: schemas.ListUnmatchedResultTestCasesResponse,
    async call({ sdk }) {
      const { data } = await sdk.labTests.listUnmatchedResultTestCases();
      expect(data.map((definition) => [definition.case, definition.orderRoles])).toEqual([
        ['match_completed', ['target']],
        ['match_cancelled', ['target']],
        ['wrong_collection', ['target']],
        ['wrong_lab', ['target']],
        ['multiple_demo_match', ['first', 'second']],
        ['match_sample_id_mismatch_demo', ['target']],
        ['match_demo', ['target']],
        ['no_match', []],
      ]);
    },
  },
  create_unmatched_result_test: {
    answer: schemas.CreateUnmatchedResultTestResponse,
    async call(world) {
      const { labTests } = world.sdk;
      const asked = { case: 'match_demo', orderSource: 'managed', resultStatus: 'partial', interpretation: 'critical' } as const;
      const begun = await labTests.createUnmatchedResultTest({ idempotencyKey: 'k', ...asked });
      expect(begun).toMatchObject({ status: 'queued' });
      expect(await labTests.createUnmatchedResultTest({ idempotencyKey: 'k', ...asked })).toEqual(begun);
      const other = labTests.createUnmatchedResultTest({ idempotencyKey: 'k', ...asked, case: 'no_match' });
      await expect(other).rejects.toMatchObject(refused(409));
      const provided = { case: 'match_demo', orderSource: 'provided' } as const;
      const lacking = labTests.createUnmatchedResultTest({ idempotencyKey: 'k2', ...provided });
      await expect(lacking).rejects.toMatchObject(refused(400));
      const missing = labTests.createUnmatchedResultTest({ idempotencyKey: 'k3', ...provided, orders: { target: unknown } });
      await expect(missing).rejects.toMatchObject(refused(404));
    },
  },
  get_unmatched_result_test: {
    answer: schemas.GetUnmatchedResultTestResponse,
    async call(world) {
      const { labTests } = world.sdk;
      const { runId } = await labTests.createUnmatchedResultTest({
        idempotencyKey: 'k',
        case: 'wrong_lab',
        orderSource: 'managed',
      });
      const times = { createdAt: new Date(START), startedAt: null, completedAt: null };
      expect(await labTests.getUnmatchedResultTest({ runId })).toMatchObject({ stage: 'queued', rawResultId: null, ...times });
      await world.service.jobs.advanceTo(START + RUN_MS);
      expect(await labTests.getUnmatchedResultTest({ runId })).toMatchObject({
        stage: 'succeeded',
        status: 'succeeded',
        rawResultId: expect.any(String),
        error: null,
        orders: { target: { orderId: expect.any(String) } },
      });
      await expect(labTests.getUnmatchedResultTest({ runId: unknown })).rejects.toMatchObject(refused(404));
    },
  },
};
