import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { labTests, markers } from '../labs/catalogue.ts';
import { labAccounts } from '../labs/lab-accounts.ts';
import { DAY, newUser, openLab, patient, testOf } from './orders.fixture.ts';

let lab: ReturnType<typeof openLab>;
beforeEach(() => {
  lab = openLab();
});
afterEach(() => lab[Symbol.asyncDispose]());

const walkIn = testOf('walk_in_test');
const kit = testOf('testkit');
const unknownId = '00000000-0000-4000-8000-000000000009';
const bodyOf = (more: object = {}) => ({ user_id: lab.user, order_set: { lab_test_ids: [walkIn] }, ...patient, ...more });
const create = (more: object = {}, headers: object = {}) => lab.ask('POST', '/v3/order', bodyOf(more), headers);
const countOrders = async () => (await lab.ask('GET', '/v3/orders')).body.total;

test('an order has what was asked, and its first status', async () => {
  const physician = { first_name: 'Ada', last_name: 'Physician', npi: '1234567893' };
  const asked = { physician, priority: true, icd_codes: ['E78.5'], clinical_notes: 'note', passthrough: 'mine' };
  const { status, body } = await create(asked);
  expect([status, body.status, body.message]).toEqual([200, 'success', 'Order created']);
  const { order } = body;
  expect(order).toMatchObject({
    user_id: lab.user,
    team_id: lab.team,
    priority: true,
    icd_codes: ['E78.5'],
    clinical_notes: 'note',
    passthrough: 'mine',
    physician,
    billing_type: 'client_bill',
    status: 'received',
    interpretation: null,
    sample_id: null,
    patient_details: { first_name: 'Jo', last_name: 'Planted', dob: '1980-02-03T00:00:00.000+00:00', email: 'jo@example.com' },
    patient_address: { ...patient.patient_address, receiver_name: '' },
    lab_test: { id: walkIn, method: 'walk_in_test' },
    details: { type: 'walk_in_test', data: { appointment_id: null } },
    events: [{ status: 'received.walk_in_test.ordered', created_at: '2026-01-01T12:00:00.000+00:00', status_detail: null }],
    requisition_form_url: null,
    order_transaction: { status: 'active', orders: [{ id: order.id, low_level_status: 'ordered', origin: 'initial' }] },
  });
  expect(order.last_event).toEqual(order.events[0]);
  expect((await lab.ask('GET', `/v3/order/${order.id}`)).body).toEqual(order);
  expect(lab.told()).toEqual([expect.objectContaining({ event_type: 'labtest.order.created', data: order })]);
});

const fasting = markers.find(({ questions }) => questions.some(({ required }) => required))!;
const asking = labTests.find(({ markers: some, status }) => status === 'active' && some.some(({ id }) => id === fasting.id))!;
const fixed = markers.find(({ a_la_carte_enabled, lab_id }) => !a_la_carte_enabled && lab_id === asking.lab_id)!;
const [, ussl, limited] = labAccounts;
const lacking = labTests.find(
  ({ markers: some, status }) => status === 'active' && some.some(({ id }) => limited!.lacks.has(id)),
)!;

/** The fault, the members of the request, the status, and the error. */
const wrong: [what: string, more: () => object, status: number, error: unknown][] = [
  ['an unknown lab test', () => ({ order_set: { lab_test_ids: [unknownId] } }), 404, `Lab test not found: ${unknownId}`],
  [
    'lab tests of two laboratories',
    () => ({ order_set: { lab_test_ids: [walkIn, kit] } }),
    400,
    'An order has lab tests and markers of one laboratory: send an order to each',
  ],
  [
    'lab tests of two methods',
    () => ({ order_set: { lab_test_ids: [walkIn, testOf('at_home_phlebotomy')] } }),
    400,
    'The lab tests have different collection methods: choose one with collection_method',
  ],
  [
    'a method that the laboratory does not have',
    () => ({ collection_method: 'testkit' }),
    400,
    'The laboratory quest does not take samples by the method testkit',
  ],
  [
    'an inactive lab test',
    () => ({ order_set: { lab_test_ids: [labTests.find(({ status }) => status === 'inactive')!.id] } }),
    400,
    expect.stringMatching(/^The lab test [0-9a-f-]{36} is not active$/),
  ],
  [
    'a user of another team',
    () => ({ user_id: newUser(lab.service, lab.service.teams.create('other').team_id, 'o') }),
    404,
    'User not found',
  ],
  ['an unknown user', () => ({ user_id: unknownId }), 404, 'User not found'],
  ['an unknown account', () => ({ lab_account_id: unknownId }), 404, 'Lab account not found'],
  [
    'an account of another laboratory',
    () => ({ lab_account_id: ussl!.id }),
    400,
    'The lab account does not offer these lab tests or markers',
  ],
  [
    'an account that lacks a marker',
    () => ({ order_set: { lab_test_ids: [lacking.id], lab_account_id: limited!.id } }),
    400,
    'The lab account does not offer these lab tests or markers',
  ],
  ['an unknown marker', () => ({ order_set: { add_on: { marker_ids: [999_999] } } }), 404, 'Marker not found: 999999'],
  [
    'an unknown test code',
    () => ({ order_set: { lab_test_ids: [walkIn], add_on: { provider_ids: ['nothing'] } } }),
    404,
    'Marker not found: nothing',
  ],
  [
    'a marker that is only part of panels',
    () => ({ order_set: { lab_test_ids: [walkIn], add_on: { marker_ids: [fixed.id] } } }),
    400,
    `The marker ${fixed.id} cannot be ordered by itself`,
  ],
  ['a date in the past', () => ({ activate_by: '2025-12-31' }), 400, 'activate_by is in the past'],
  [
    'a question without an answer',
    () => ({ order_set: { lab_test_ids: [asking.id] } }),
    400,
    `aoe_answers: this question needs an answer: marker_id ${fasting.id}, question_id ${fasting.questions[0]!.id}`,
  ],
  [
    'an answer without a question',
    () => ({ aoe_answers: [{ marker_id: 1, question_id: 2, answer: 'secret' }] }),
    400,
    'aoe_answers: no marker of the order has this question: marker_id 1, question_id 2',
  ],
  [
    'the deprecated form',
    () => ({ lab_test_id: walkIn }),
    422,
    [
      {
        loc: ['body', 'lab_test_id'],
        msg: 'lab_test_id is deprecated: send order_set.lab_test_ids, a list',
        type: 'invalid_type',
      },
    ],
  ],
  ...[{}, { lab_test_ids: [] }, { add_on: { marker_ids: [] } }].map((order_set): (typeof wrong)[number] => [
    `an order set without contents, ${JSON.stringify(order_set)}`,
    () => ({ order_set }),
    422,
    [{ loc: ['body', 'order_set', 'lab_test_ids'], msg: 'an order needs a lab test or a marker', type: 'custom' }],
  ]),
  [
    'a patient without a name',
    () => ({ patient_details: { ...patient.patient_details, first_name: ' ' } }),
    422,
    [expect.objectContaining({ loc: ['body', 'patient_details', 'first_name'] })],
  ],
  [
    'a postal code of another form',
    () => ({ patient_address: { ...patient.patient_address, zip: '8500A' } }),
    422,
    [{ loc: ['body', 'patient_address', 'zip'], msg: 'not a postal code of the US', type: 'invalid_format' }],
  ],
];

test.each(wrong)('%s is refused, and nothing is ordered', async (_, more, status, error) => {
  const answer = await create(more());
  expect([answer.status, answer.body.detail]).toEqual([status, error]);
  expect(await countOrders()).toBe(0);
  expect(lab.told()).toEqual([]);
});

test('the metrics of a team count its orders', async () => {
  await create();
  await create();
  expect((await lab.ask('GET', '/v2/user/metrics')).body.number_of_ordered_tests).toBe(2);
});

test('no refusal repeats a value of the patient', async () => {
  for (const [, more] of wrong) {
    const { body } = await create(more());
    expect(JSON.stringify(body)).not.toMatch(/Planted|example\.com|Main Street|1980|secret|8500/);
  }
});

test('the lab tests of an order set become one lab test, which is listed as generated', async () => {
  const two = labTests
    .filter(({ lab_id, method, status }) => lab_id === 3 && method === 'walk_in_test' && status === 'active')
    .slice(0, 2);
  const ids = two.map(({ id }) => id);
  const { body } = await create({ order_set: { lab_test_ids: ids } });
  const { lab_test } = body.order;
  expect(lab_test).toMatchObject({ auto_generated: true, method: 'walk_in_test', name: two.map(({ name }) => name).join(' + ') });
  expect(new Set(lab_test.markers.map(({ id }: { id: number }) => id))).toEqual(
    new Set(two.flatMap((one) => one.markers.map(({ id }) => id))),
  );
  expect((await create({ order_set: { lab_test_ids: ids } })).body.order.lab_test.id).toBe(lab_test.id);
  const { body: list } = await lab.ask('GET', '/v3/lab_test?generation_method=auto');
  expect(list.data.map(({ id }: { id: string }) => id)).toEqual([lab_test.id]);
  expect((await lab.ask('GET', `/v3/lab_tests/${lab_test.id}`)).status).toBe(200);
  const again = await create({ order_set: { lab_test_ids: [lab_test.id] } });
  expect(again.body.order.lab_test.id).toBe(lab_test.id);
  const third = labTests.find(({ id, method, status }) => !ids.includes(id) && method === 'walk_in_test' && status === 'active')!;
  const nested = await create({ order_set: { lab_test_ids: [lab_test.id, third.id] } });
  expect(nested.body.order.lab_test.name).toBe([...two, third].map(({ name }) => name).join(' + '));
});

test('a collection method replaces that of the lab test', async () => {
  const { body } = await create({ collection_method: 'on_site_collection' });
  expect(body.order).toMatchObject({ details: { type: 'on_site_collection' }, lab_test: { method: 'on_site_collection' } });
});

test('an answer to a question is accepted', async () => {
  const [question] = fasting.questions;
  const aoe_answers = [{ marker_id: fasting.id, question_id: question!.id, answer: question!.answers[0]!.code }];
  expect((await create({ order_set: { lab_test_ids: [asking.id] }, aoe_answers })).status).toBe(200);
});

describe('an idempotency key', () => {
  const key = { 'x-idempotency-key': 'k-1' };

  test('gives the same answer for 24 hours, and then another order', async () => {
    const first = await create({}, key);
    await lab.pass(DAY - 1);
    expect(await create({}, key)).toEqual(first);
    expect(await countOrders()).toBe(1);
    await lab.pass(1);
    expect((await create({}, key)).body.order.id).not.toBe(first.body.order.id);
    expect(await countOrders()).toBe(2);
  });

  test('is refused for another request, but not for another team', async () => {
    await create({}, key);
    const { status, body } = await create({ passthrough: 'other' }, key);
    expect([status, body.detail]).toEqual([
      409,
      'X-Idempotency-Key was used for another request within 24 hours. Use a new key.',
    ]);
    const other = lab.service.teams.create('other');
    const request = { ...bodyOf(), user_id: newUser(lab.service, other.team_id, 'o') };
    expect((await lab.ask('POST', '/v3/order', request, { ...key, 'x-service-api-key': other.api_key })).status).toBe(200);
  });

  test('keeps refusals, unless X-Idempotency-Error says otherwise', async () => {
    const user_id = unknownId;
    expect((await create({ user_id }, { ...key, 'x-idempotency-error': 'no-cache' })).status).toBe(404);
    expect((await create({}, key)).status).toBe(200);
    const kept = { 'x-idempotency-key': 'k-2' };
    expect((await create({ user_id }, kept)).status).toBe(404);
    expect((await create({}, kept)).status).toBe(409);
  });

  test.each(['', 'x'.repeat(256)])('is refused if it is empty or too long (%#)', async (text) => {
    const { status, body } = await create({}, { 'x-idempotency-key': text });
    expect([status, body.detail[0].loc]).toEqual([422, ['header', 'x-idempotency-key']]);
  });

  test('is forgotten with the user', async () => {
    await create({}, key);
    lab.service.users.delete(lab.team, lab.user);
    await lab.pass(7 * DAY);
    const { status, body } = await create({ user_id: newUser(lab.service, lab.team, 'c-2') }, key);
    expect([status, body.detail]).toEqual([200, undefined]);
  });
});
