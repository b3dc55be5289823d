import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { labTests } from '../labs/catalogue.ts';
import { inventedPatient } from './cases.ts';
import { begin, newOrder, type Sandbox, START, startSandbox } from './reviews.fixture.ts';

const testOf = (slug: string): string => labTests.find((labTest) => labTest.slug === slug)!.id;

test('the cases name their orders, and the statuses and laboratories that they need', async () => {
  const { ask } = await begin();
  const open = { target: 'requisition_created' };
  const definition = (name: string, statuses: object, constraints: readonly string[] = []) => ({
    case: name,
    order_roles: Object.keys(statuses),
    required_statuses: statuses,
    lab_constraints: constraints,
  });
  expect((await ask('GET', '/v3/unmatched_result_test/case')).body).toEqual({
    data: [
      definition('match_completed', { target: 'completed' }),
      definition('match_cancelled', { target: 'cancelled' }),
      definition('wrong_collection', open, ['not_walk_in_test']),
      definition('wrong_lab', open, ['different_lab']),
      definition('multiple_demo_match', { first: 'requisition_created', second: 'requisition_created' }, ['same_lab']),
      definition('match_sample_id_mismatch_demo', open),
      definition('match_demo', open),
      definition('no_match', {}),
    ],
  });
});

const exact = ['same_lab', 'marker_overlap_exact'];
test.each([
  ['match_completed', [['high', 'completed', ['sample_id_match', 'demographic_match', 'matched_completed_order', ...exact]]]],
  ['match_cancelled', [['high', 'cancelled', ['sample_id_match', 'demographic_match', 'matched_cancelled_order', ...exact]]]],
  [
    'wrong_collection',
    [['medium', 'requisition_created', ['sample_id_match', 'demographic_match', 'invalid_collection_state', ...exact]]],
  ],
  ['wrong_lab', [['low', 'requisition_created', ['demographic_match', 'possible_wrong_lab', 'marker_overlap_none']]]],
  [
    'multiple_demo_match',
    [
      ['medium', 'requisition_created', ['demographic_match', ...exact]],
      ['medium', 'requisition_created', ['demographic_match', ...exact]],
    ],
  ],
  ['match_sample_id_mismatch_demo', [['low', 'requisition_created', ['sample_id_match', 'demographic_mismatch', ...exact]]]],
  ['match_demo', [['medium', 'requisition_created', ['demographic_match', ...exact]]]],
  ['no_match', []],
])('a managed run of %s makes its users and orders, and a review with its candidates', async (name, candidates) => {
  const { run, ask, events, service } = await begin();
  const done = await run({ case: name, order_source: 'managed', result_status: 'partial', interpretation: 'abnormal' });
  expect(done).toMatchObject({ status: 'succeeded', stage: 'succeeded', case: name, error: null, result_status: 'partial' });
  const made = Object.values(done.orders) as { order_id: string; user_id: string; order_transaction_id: string }[];
  const { body: review } = await ask('GET', `/v3/unmatched_result/${done.raw_result_id}`);
  expect(review).toMatchObject({
    id: done.raw_result_id,
    status: 'pending_customer_review',
    decision_code: name,
    interpretation: 'abnormal',
    result_status: 'partial',
    sub_reason_codes: [],
    resolution_action: null,
    resolved_order_id: null,
    allowed_actions: ['accept', 'reject', 'unsure'],
    lab: name === 'wrong_lab' ? { id: 5, slug: 'ussl' } : { id: 3, slug: 'quest' },
  });
  const found = review.candidate_groups.flatMap(
    ({ user_id, candidates: some }: { user_id: string; candidates: { order_id: string }[] }) =>
      some.map((candidate) => ({ user_id, ...candidate })),
  );
  expect(found.map((one: Record<string, unknown>) => [one.confidence_level, one.last_status, one.reasons])).toEqual(candidates);
  for (const [index, one] of found.entries()) {
    const { order_id, user_id, order_transaction_id } = made[index]!;
    expect(one).toMatchObject({ candidate_type: 'provenance_order', order_id, user_id, order_transaction_id });
  }
  const users = made.map(({ user_id }) => service.users.any(user_id)!.client_user_id);
  const roles = name === 'multiple_demo_match' ? ['-first', '-second'] : candidates.map(() => '');
  expect(users).toEqual(roles.map((role) => `unmatched-${done.run_id}${role}`));

  // An event names the user if there is only one.
  await service.jobs.settle();
  const told = events.filter(({ event_type }) => event_type.startsWith('labtest.match_review.'));
  expect(told).toEqual([
    {
      event_type: 'labtest.match_review.created',
      team_id: expect.any(String),
      ...(made.length === 1 ? { user_id: made[0]!.user_id, client_user_id: users[0] } : {}),
      data: { id: done.raw_result_id, status: 'pending_customer_review', decision_code: name, sub_reason_codes: [] },
    },
  ]);
});

test('the laboratory names the patient of the order, except in the case of another patient', async () => {
  const { run, ask } = await begin();
  const patients = async (name: string) => {
    const { orders, raw_result_id } = await run({ case: name, order_source: 'managed' });
    const { body: order } = await ask('GET', `/v3/order/${orders.target.order_id}`);
    const { body: review } = await ask('GET', `/v3/unmatched_result/${raw_result_id}`);
    const { first_name, last_name, dob, gender } = order.patient_details;
    return { ordered: { first_name, last_name, dob, gender }, named: review.patient };
  };
  const same = await patients('match_demo');
  expect(same.named).toEqual(same.ordered);
  const other = await patients('match_sample_id_mismatch_demo');
  expect(other.named.last_name).not.toBe(other.ordered.last_name);
});

test('a run passes its stages within two minutes, and a restart does not stop it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'service.db');
  const before = await startSandbox(path);
  const { body: begun, status } = await before.begin({ case: 'no_match', order_source: 'managed' });
  expect([status, begun]).toEqual([202, { run_id: expect.any(String), status: 'queued' }]);
  const show = async ({ ask }: Sandbox) => {
    const { stage, status: of, started_at, completed_at } = (await ask('GET', `/v3/unmatched_result_test/${begun.run_id}`)).body;
    return [stage, of, started_at, completed_at];
  };
  expect(await show(before)).toEqual(['queued', 'queued', null, null]);
  await before.advance(20_000);
  const started = '2026-01-10T12:00:10.000+00:00';
  expect(await show(before)).toEqual(['selecting_configuration', 'running', started, null]);
  await before[Symbol.asyncDispose]();

  const after = await begin(path, before.keys);
  const stages: unknown[] = [];
  for (let step = 0; step < 6; step++) {
    await after.advance(10_000);
    stages.push((await show(after))[0]);
  }
  expect(stages).toEqual([
    'creating_orders',
    'transitioning_orders',
    'writing_result',
    'matching_result',
    'verifying_review',
    'succeeded',
  ]);
  expect(await show(after)).toEqual(['succeeded', 'succeeded', started, '2026-01-10T12:01:20.000+00:00']);
  expect((await after.ask('GET', '/v3/unmatched_result')).body.total).toBe(1);
});

test('a provided run uses the given orders, and their users have further orders as options', async () => {
  const sandbox = await begin();
  const user = sandbox.newUser('c-1');
  const target = newOrder(sandbox, user);
  const option = newOrder(sandbox, user, { slug: 'thyroid-check' });
  newOrder(sandbox, user, { slug: 'heart-kit' });
  newOrder(sandbox, user, { status: 'cancelled' });
  const done = await sandbox.run({ case: 'match_demo', order_source: 'provided', orders: { target } });
  expect(done).toMatchObject({ status: 'succeeded', orders: { target: { order_id: target, user_id: user.user_id } } });
  const { body } = await sandbox.ask('GET', `/v3/unmatched_result/${done.raw_result_id}`);
  expect(body.candidate_groups).toMatchObject([
    {
      user_id: user.user_id,
      candidates: [
        { order_id: target, candidate_type: 'provenance_order' },
        { order_id: option, candidate_type: 'order_option', reasons: ['same_user', 'same_lab', 'marker_overlap_none'] },
      ],
    },
  ]);
});

test('a provided run fails if an order has another status, or if the patients of its orders differ', async () => {
  const sandbox = await begin();
  const [user, other] = [sandbox.newUser('c-1'), sandbox.newUser('c-2')];
  const first = newOrder(sandbox, user);
  const second = newOrder(sandbox, other, { patient: inventedPatient('b', inventedPatient('a').patient_details.last_name) });
  const ended = await sandbox.run({ case: 'match_completed', order_source: 'provided', orders: { target: first } });
  expect(ended).toMatchObject({
    status: 'failed',
    stage: 'failed',
    raw_result_id: null,
    completed_at: '2026-01-10T12:00:10.000+00:00',
    error: {
      code: 'order_status_mismatch',
      message: 'The status of the order target is requisition_created, and match_completed needs completed.',
    },
  });
  const differing = await sandbox.run({ case: 'multiple_demo_match', order_source: 'provided', orders: { first, second } });
  expect(differing.error.code).toBe('patients_differ');
  expect(differing.error.message).toBe('The orders of multiple_demo_match must have the same name and birth date.');
  expect((await sandbox.ask('GET', '/v3/unmatched_result')).body).toEqual({ data: [], next_cursor: null, total: 0 });
});

test('a provided run fails if the kit of its order was never registered, so that nobody knows the patient', async () => {
  const sandbox = await begin();
  const { orders } = sandbox.service.labs;
  const { order_id: target } = orders.create(sandbox.newUser('c-1'), {
    lab_test_id: testOf('heart-kit'),
    method: 'testkit',
    isRegistrable: true,
    request: { priority: false, billing_type: 'client_bill' },
  });
  orders.cancel(target);
  const done = await sandbox.run({ case: 'match_cancelled', order_source: 'provided', orders: { target } });
  expect(done).toMatchObject({ status: 'failed', error: { code: 'order_without_patient' } });
});

test('a run fails if the user of its order is deleted meanwhile', async () => {
  const sandbox = await begin();
  const user = sandbox.newUser('c-1');
  const target = newOrder(sandbox, user);
  const { body } = await sandbox.begin({ case: 'match_demo', order_source: 'provided', orders: { target } });
  await sandbox.advance(30_000);
  sandbox.service.users.delete(sandbox.keys.team, user.user_id);
  await sandbox.advance(60_000);
  const { body: failed } = await sandbox.ask('GET', `/v3/unmatched_result_test/${body.run_id}`);
  expect(failed).toMatchObject({ status: 'failed', orders: {}, error: { code: 'order_not_found' } });
});

test('a request that does not fit its case is refused at once', async () => {
  const sandbox = await begin();
  const user = sandbox.newUser('c-1');
  const [walkIn, atHome, kit] = ['metabolic-baseline', 'heart-risk', 'heart-kit'].map((slug) =>
    newOrder(sandbox, user, { slug }),
  );
  const unknown = '2a7e51c4-0000-4000-8000-000000000001';
  const provided = (name: string, orders: object, more: object = {}) => ({
    case: name,
    order_source: 'provided',
    orders,
    ...more,
  });
  const managed = (name: string, more: object) => ({ case: name, order_source: 'managed', ...more });
  const target = walkIn;
  const table: [object, number, string][] = [
    [provided('match_demo', {}), 400, 'orders must have these members, each with the id of an order: target'],
    [provided('match_demo', { other: target }), 400, 'orders must have these members, each with the id of an order: target'],
    [provided('no_match', { target }), 400, 'orders must be empty: no_match has no orders'],
    [provided('match_demo', { target: unknown }), 404, 'Order not found: target'],
    [provided('multiple_demo_match', { first: target, second: target }), 400, 'orders must have different ids'],
    [
      provided('multiple_demo_match', { first: target, second: kit }),
      400,
      'orders of multiple_demo_match must be of one laboratory',
    ],
    [provided('wrong_collection', { target }), 400, 'wrong_collection needs another method than walk_in_test'],
    [
      provided('match_demo', { target }, { lab_test_id: testOf('heart-kit') }),
      ...([400, 'lab_test_id must not be given with orders, which have their lab tests'] as const),
    ],
    [managed('match_demo', { orders: { target } }), 400, 'orders must not be given with order_source managed'],
    [managed('match_demo', { lab_test_id: unknown }), 404, `Lab test not found: ${unknown}`],
    [managed('match_demo', { lab_test_id: testOf('gut-kit') }), 400, `The lab test ${testOf('gut-kit')} is not active`],
    [
      managed('wrong_collection', { lab_test_id: testOf('thyroid-check') }),
      400,
      'wrong_collection needs another method than walk_in_test',
    ],
    [
      managed('wrong_lab', { wrong_lab_test_id: testOf('thyroid-check') }),
      ...([400, 'wrong_lab_test_id must be of another laboratory than the order'] as const),
    ],
    [
      managed('match_demo', { wrong_lab_test_id: testOf('heart-kit') }),
      ...([400, 'wrong_lab_test_id belongs to the case wrong_lab'] as const),
    ],
  ];
  for (const [body, status, detail] of table)
    expect(await sandbox.begin(body), JSON.stringify(body)).toEqual({ status, body: { detail } });
  for (const body of [
    { case: 'match_sample_id', order_source: 'managed' },
    { case: 'no_match' },
    managed('no_match', { more: 1 }),
  ])
    expect((await sandbox.begin(body)).status).toBe(422);
  // A lab test with a question that needs an answer can be used.
  expect((await sandbox.begin(managed('match_demo', { lab_test_id: testOf('workplace-sugar') }))).status).toBe(202);
  expect((await sandbox.begin(provided('wrong_collection', { target: atHome }))).status).toBe(202);
});

test('a run needs an idempotency key, and the same key begins one run', async () => {
  const { begin: start, ask, keys } = await begin();
  const body = { case: 'no_match', order_source: 'managed' };
  const without = await ask('POST', '/v3/unmatched_result_test', body);
  expect(without).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['header', 'x-idempotency-key'], type: 'missing' }] },
  });
  expect((await start(body, '')).status).toBe(422);
  expect((await start(body, 'k'.repeat(256))).status).toBe(422);
  const [one, again, other] = [await start(body, 'k'), await start(body, 'k'), await start(body, 'k'.repeat(255))];
  expect(again).toEqual(one);
  expect(other.body.run_id).not.toBe(one.body.run_id);
  expect((await start({ ...body, interpretation: 'critical' }, 'k')).status).toBe(409);
  const foreign = { 'x-service-api-key': keys.otherKey };
  expect((await ask('GET', `/v3/unmatched_result_test/${one.body.run_id}`, undefined, foreign)).status).toBe(404);
  expect((await ask('GET', `/v3/unmatched_result_test/${one.body.run_id}`)).body.created_at).toBe(
    new Date(START).toISOString().replace('Z', '+00:00'),
  );
});
