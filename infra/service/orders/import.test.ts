import { afterEach, beforeEach, expect, test } from 'vitest';
import { lowsOf, newUser, openLab, patient, testOf } from './orders.fixture.ts';

let lab: ReturnType<typeof openLab>;
beforeEach(() => {
  lab = openLab();
  lab.service.teams.betas.set(lab.team, 'import_order', true);
});
afterEach(() => lab[Symbol.asyncDispose]());

const importOrder = (more: object = {}) =>
  lab.ask('POST', '/v3/order/import', {
    user_id: lab.user,
    billing_type: 'patient_bill',
    collection_method: 'walk_in_test',
    sample_id: 'L-1',
    order_set: { lab_test_ids: [testOf('walk_in_test')] },
    ...patient,
    ...more,
  });

test('an imported order has the sample of the laboratory and no requisition form, and takes its course', async () => {
  const { status, body } = await importOrder();
  expect([status, body.message]).toEqual([200, 'Order imported']);
  expect(body.order).toMatchObject({ sample_id: 'L-1', billing_type: 'patient_bill', requisition_form_url: null });
  expect(lowsOf(body.order)).toEqual(['ordered', 'requisition_bypassed']);
  await lab.pass(10 * 86_400_000);
  const order = (await lab.ask('GET', `/v3/order/${body.order.id}`)).body;
  expect([order.status, order.sample_id, order.requisition_form_url]).toEqual(['completed', 'L-1', null]);
  expect(lab.told('labtest.order.created').map(({ data }) => data.sample_id)).toEqual(['L-1']);
  expect((await lab.ask('GET', `/v3/order/${body.order.id}/result`)).status).toBe(200);
});

test.each([
  ['without a sample', { sample_id: ' ' }, 422],
  ['without a collection method', { collection_method: undefined }, 422],
  ['of an unknown user', { user_id: '00000000-0000-4000-8000-000000000009' }, 404],
  ['of an unknown lab test', { order_set: { lab_test_ids: ['00000000-0000-4000-8000-000000000009'] } }, 404],
  ['by a method that the laboratory does not have', { collection_method: 'testkit' }, 400],
])('an import %s is refused, and nothing is ordered', async (_, more, status) => {
  expect((await importOrder(more)).status).toBe(status);
  expect((await lab.ask('GET', '/v3/orders')).body.total).toBe(0);
});

test('a second order with the same sample is refused, but another team may have it', async () => {
  expect((await importOrder()).status).toBe(200);
  expect(await importOrder()).toEqual({ status: 400, body: { detail: 'Another order has this sample_id' } });
  const { team_id, api_key } = lab.service.teams.create('second');
  lab.service.teams.betas.set(team_id, 'import_order', true);
  const user_id = newUser(lab.service, team_id, 'c-1');
  const own = { user_id, billing_type: 'client_bill', collection_method: 'walk_in_test', sample_id: 'L-1', ...patient };
  const body = { ...own, order_set: { lab_test_ids: [testOf('walk_in_test')] } };
  expect((await lab.ask('POST', '/v3/order/import', body, { 'x-service-api-key': api_key })).status).toBe(200);
});

test('a team that is enabled, and later disabled, is refused again', async () => {
  lab.service.teams.betas.set(lab.team, 'import_order', false);
  expect((await importOrder()).status).toBe(403);
  // The service refuses the team before it validates the request.
  expect((await lab.ask('POST', '/v3/order/import', { sample_id: 1 })).status).toBe(403);
  expect(lab.service.teams.betas.of(lab.team)).toEqual([]);
});
