import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { labTests } from '../labs/catalogue.ts';
import { accept, begin, DAY, newResult, resolve, type Sandbox, show, startSandbox } from './reviews.fixture.ts';

const unknown = '2a7e51c4-0000-4000-8000-000000000001';

/** Returns the types and statuses of the events since a number of events. */
async function told({ service, events }: Sandbox, since: number): Promise<string[]> {
  await service.jobs.settle();
  return events.slice(since).map(({ event_type, data }) => {
    const { status } = (data.last_event ?? data) as { status: string };
    return `${event_type} ${status}`;
  });
}

test('an accepted result completes its order, and the events tell the order, the critical result and the review', async () => {
  const sandbox = await begin();
  const { id, order, user } = await newResult(sandbox, 'match_demo', { interpretation: 'critical' });
  const since = sandbox.events.length;
  const { status, body } = await accept(sandbox, id, { order_id: order, note: 'The same person.' });
  expect([status, body.id, body.status, body.interpretation]).toEqual([200, order, 'completed', 'critical']);
  const { body: result } = await sandbox.ask('GET', `/v3/order/${order}/result`);
  expect(result.metadata).toMatchObject({ status: 'final', interpretation: 'critical' });
  expect(await show(sandbox, id)).toMatchObject({
    status: 'resolved',
    resolution_action: 'accept',
    resolved_user_id: user,
    resolved_order_id: order,
    allowed_actions: [],
    note: 'The same person.',
    reviewed_at: '2026-01-10T12:01:20.000+00:00',
  });
  expect(await told(sandbox, since)).toEqual([
    'labtest.result.critical final',
    'labtest.order.updated completed.walk_in_test.completed',
    'labtest.match_review.updated resolved',
  ]);
  expect(sandbox.events.at(-1)).toMatchObject({
    user_id: user,
    data: {
      id,
      status: 'resolved',
      decision_code: 'match_demo',
      sub_reason_codes: [],
      resolution_action: 'accept',
      resolved_user_id: user,
      resolved_order_id: order,
    },
  });
  // Nothing more happens to the order.
  await sandbox.advance(10 * DAY);
  expect(await told(sandbox, since)).toHaveLength(3);
});

test.each(['match_demo', 'wrong_collection', 'match_sample_id_mismatch_demo', 'multiple_demo_match'])(
  'the user of a candidate of %s gets the result in that order',
  async (name) => {
    const sandbox = await begin();
    const { id, order, user } = await newResult(sandbox, name);
    expect((await accept(sandbox, id, { user_id: user })).body).toMatchObject({ id: order, status: 'completed' });
  },
);

test('a result for a completed order corrects it', async () => {
  const sandbox = await begin();
  const { id, order } = await newResult(sandbox, 'match_completed', { interpretation: 'abnormal' });
  const { body } = await accept(sandbox, id, { order_id: order });
  expect(body).toMatchObject({ id: order, interpretation: 'abnormal' });
  expect(body.last_event.status).toBe('completed.walk_in_test.corrected');
});

test.each([
  ['match_cancelled', 'order_id', 'metabolic-baseline'],
  ['match_cancelled', 'user_id', 'metabolic-baseline'],
  ['wrong_lab', 'order_id', 'heart-kit'],
  ['wrong_lab', 'user_id', 'heart-kit'],
])('if the candidate of %s cannot get the result, acceptance by %s orders %s again', async (name, by, slug) => {
  const sandbox = await begin();
  const { id, order, user } = await newResult(sandbox, name);
  const { body: before } = await sandbox.ask('GET', `/v3/order/${order}`);
  const { status, body } = await accept(sandbox, id, { [by]: by === 'order_id' ? order : user });
  expect([status, body.user_id, body.status, body.lab_test.slug]).toEqual([200, user, 'completed', slug]);
  expect(body.id).not.toBe(order);
  expect(body.patient_details.last_name).toBe(before.patient_details.last_name);
  expect(await show(sandbox, id)).toMatchObject({ resolved_order_id: body.id, resolved_user_id: user });
  expect((await sandbox.ask('GET', `/v3/order/${order}`)).body).toEqual(before);
  expect(sandbox.service.labs.orders.any(body.id)!.has_requisition).toBe(1);
});

test('a result without candidates goes to a new order of any user', async () => {
  const sandbox = await begin();
  const { id } = await newResult(sandbox, 'no_match');
  const { user_id } = sandbox.newUser('c-1');
  const since = sandbox.events.length;
  const { status, body } = await accept(sandbox, id, { user_id });
  expect([status, body.user_id, body.status]).toEqual([200, user_id, 'completed']);
  expect(await told(sandbox, since)).toEqual([
    'labtest.order.created received.walk_in_test.ordered',
    'labtest.order.updated received.walk_in_test.requisition_created',
    'labtest.order.updated completed.walk_in_test.completed',
    'labtest.match_review.updated resolved',
  ]);
  expect(sandbox.events.at(-1)).toMatchObject({ user_id, client_user_id: 'c-1' });
});

test('a partial result gives its order partial results, and the order is completed later', async () => {
  const sandbox = await begin();
  const { id, order } = await newResult(sandbox, 'match_demo', { result_status: 'partial' });
  const { body } = await accept(sandbox, id, { order_id: order });
  expect(body.last_event.status).toBe('sample_with_lab.walk_in_test.partial_results');
  await sandbox.advance(3 * DAY);
  expect((await sandbox.ask('GET', `/v3/order/${order}`)).body.status).toBe('completed');
});

test('a partial result completes the order of a kit, which has no partial results', async () => {
  const sandbox = await begin();
  const lab_test_id = labTests.find(({ slug }) => slug === 'heart-kit')!.id;
  const { id, order } = await newResult(sandbox, 'match_demo', { result_status: 'partial', lab_test_id });
  expect((await accept(sandbox, id, { order_id: order })).body.status).toBe('completed');
});

test('acceptance by a wrong order or user is refused, and the review stays open', async () => {
  const sandbox = await begin();
  const { id } = await newResult(sandbox, 'match_demo');
  const [kit, cancelled, other] = [
    await newResult(sandbox, 'match_demo', { lab_test_id: labTests.find(({ slug }) => slug === 'heart-kit')!.id }),
    await newResult(sandbox, 'match_cancelled'),
    await newResult(sandbox, 'match_demo'),
  ];
  const table: [object, number, string][] = [
    [{}, 400, 'Give order_id or user_id'],
    [{ user_id: null, order_id: null, note: 'n' }, 400, 'Give order_id or user_id'],
    [{ order_id: unknown }, 404, 'Order not found'],
    [{ user_id: unknown }, 404, 'User not found'],
    [{ order_id: other.order, user_id: cancelled.user }, 400, 'The order is of another user'],
    [{ order_id: kit.order }, 400, 'The order is of another laboratory than the result'],
    [{ order_id: cancelled.order }, 400, 'The order cannot get results: its status is cancelled'],
  ];
  for (const [body, status, detail] of table)
    expect(await accept(sandbox, id, body), JSON.stringify(body)).toEqual({ status, body: { detail } });
  for (const body of [{ order_id: 'x' }, { note: 1 }]) expect((await accept(sandbox, id, body)).status).toBe(422);
  for (const body of [{}, { action: 'accept' }]) expect((await resolve(sandbox, id, body)).status).toBe(422);
  expect(await show(sandbox, id)).toMatchObject({ status: 'pending_customer_review', reviewed_at: null, note: null });
  // An order of the same laboratory need not be a candidate.
  expect((await accept(sandbox, id, { order_id: other.order, user_id: other.user })).body).toMatchObject({ id: other.order });
});

test('a rejected result is resolved, and nobody can act on it again', async () => {
  const sandbox = await begin();
  const { id, order } = await newResult(sandbox, 'match_demo');
  const since = sandbox.events.length;
  const { status, body } = await resolve(sandbox, id, { action: 'reject', note: 'n' });
  expect([status, body.status, body.resolution_action, body.note, body.resolved_order_id, body.allowed_actions]).toEqual([
    200,
    'resolved',
    'reject',
    'n',
    null,
    [],
  ]);
  expect(await told(sandbox, since)).toEqual(['labtest.match_review.updated resolved']);
  const closed = { status: 409, body: { detail: 'The result has been resolved' } };
  expect(await accept(sandbox, id, { order_id: order })).toEqual(closed);
  for (const action of ['reject', 'unsure']) expect(await resolve(sandbox, id, { action })).toEqual(closed);
  expect((await sandbox.ask('GET', `/v3/order/${order}`)).body.status).toBe('received');
});

test('the staff rejects a result two days after the team was unsure, even if the service restarts meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'service.db');
  const before = await startSandbox(path);
  const { id, order } = await newResult(before, 'match_demo');
  const { body } = await resolve(before, id, { action: 'unsure', note: 'Twins?' });
  expect([body.status, body.resolution_action, body.allowed_actions]).toEqual(['pending_ops_review', 'unsure', []]);
  const detail = "The service's staff reviews this result. Wait for the event labtest.match_review.updated.";
  expect(await accept(before, id, { order_id: order })).toEqual({ status: 409, body: { detail } });
  await before.service.jobs.settle();
  expect(before.events.at(-1)).toMatchObject({ data: { status: 'pending_ops_review', resolution_action: 'unsure' } });
  await before[Symbol.asyncDispose]();

  const after = await begin(path, before.keys);
  await after.advance(2 * DAY - 1);
  expect((await show(after, id)).status).toBe('pending_ops_review');
  await after.advance(1);
  expect(await show(after, id)).toMatchObject({ status: 'resolved', resolution_action: 'reject', note: 'Twins?' });
  await after.service.jobs.settle();
  expect(after.events).toMatchObject([{ event_type: 'labtest.match_review.updated', data: { status: 'resolved' } }]);
});

test('a review loses the candidates of a deleted user, and stays', async () => {
  const sandbox = await begin();
  const { id, user } = await newResult(sandbox, 'multiple_demo_match');
  const users = async () => (await show(sandbox, id)).candidate_groups.map((group: { user_id: string }) => group.user_id);
  const [, other] = await users();
  sandbox.service.users.delete(sandbox.keys.team, user);
  expect(await users()).toEqual([other]);
  sandbox.service.users.undoDeletion(sandbox.keys.team, { user_id: user });
  expect(await users()).toEqual([user, other]);
  for (const one of [user, other]) sandbox.service.users.delete(sandbox.keys.team, one);
  await sandbox.advance(8 * DAY);
  expect(await users()).toEqual([]);
  const since = sandbox.events.length;
  expect((await resolve(sandbox, id, { action: 'reject' })).status).toBe(200);
  expect(await told(sandbox, since)).toHaveLength(1);
  expect(Object.keys(sandbox.events.at(-1)!)).toEqual(['event_type', 'team_id', 'data']);
});

test('an accepted result goes with its user', async () => {
  const sandbox = await begin();
  const { id, user } = await newResult(sandbox, 'match_demo');
  await accept(sandbox, id, { user_id: user });
  const total = async () => (await sandbox.ask('GET', '/v3/unmatched_result')).body.total;
  expect(await total()).toBe(1);
  sandbox.service.users.delete(sandbox.keys.team, user);
  expect([await total(), (await sandbox.ask('GET', `/v3/unmatched_result/${id}`)).status]).toEqual([0, 404]);
  sandbox.service.users.undoDeletion(sandbox.keys.team, { user_id: user });
  expect(await total()).toBe(1);
  sandbox.service.users.delete(sandbox.keys.team, user);
  await sandbox.advance(8 * DAY);
  expect(sandbox.service.users.undoDeletion(sandbox.keys.team, { user_id: user })).toBe('not deleted');
  expect(await total()).toBe(0);
});

test('another team sees no result, and cannot act on it', async () => {
  const sandbox = await begin();
  const { id, order } = await newResult(sandbox, 'match_demo');
  const headers = { 'x-service-api-key': sandbox.keys.otherKey };
  const missing = { status: 404, body: { detail: 'Unmatched result not found' } };
  const path = `/v3/unmatched_result/${id}`;
  expect(await sandbox.ask('GET', path, undefined, headers)).toEqual(missing);
  expect(await sandbox.ask('POST', `${path}/accept`, { order_id: order }, headers)).toEqual(missing);
  expect(await sandbox.ask('POST', `${path}/resolve`, { action: 'reject' }, headers)).toEqual(missing);
  expect((await sandbox.ask('GET', '/v3/unmatched_result', undefined, headers)).body.total).toBe(0);
});

test('no error repeats a value of a person', async () => {
  const sandbox = await begin();
  const { id } = await newResult(sandbox, 'match_demo');
  const { patient } = await show(sandbox, id);
  const secret = `${patient.last_name}-1980-02-03`;
  const answers = [
    await accept(sandbox, id, { order_id: secret, note: secret }),
    await accept(sandbox, id, { user_id: secret }),
    await resolve(sandbox, id, { action: secret, note: secret }),
    await sandbox.ask('GET', `/v3/unmatched_result?status=${secret}&search_input=${secret}`),
    await sandbox.begin({ case: secret, order_source: 'managed', orders: { [secret]: secret } }),
    await sandbox.begin({ case: 'match_demo', order_source: 'provided', orders: { [secret]: unknown } }),
  ];
  for (const { status, body } of answers) {
    expect(status).toBeGreaterThanOrEqual(400);
    // The name of a member may be in the place of an error, but no value.
    const texts = JSON.stringify(body.detail?.map?.(({ msg }: { msg: string }) => msg) ?? body);
    expect(texts).not.toContain(secret);
    for (const value of [patient.first_name, patient.last_name, patient.dob.slice(0, 10)]) expect(texts).not.toContain(value);
  }
});
