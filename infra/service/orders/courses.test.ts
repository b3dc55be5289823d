import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createControl } from '../control/control-server.ts';
import { collectionMethods } from '../labs/laboratories.ts';
import { orderControl } from './order-control.ts';
import { DAY, lowsOf, MINUTE, openLab, patient, START, testOf } from './orders.fixture.ts';

let lab: ReturnType<typeof openLab>;
beforeEach(() => {
  lab = openLab();
});
afterEach(() => lab[Symbol.asyncDispose]());

const get = async (id: string) => (await lab.ask('GET', `/v3/order/${id}`)).body;
const results = async (id: string) => lab.ask('GET', `/v3/order/${id}/result`);

/** Replaces the course of an order through the control port. */
async function script(order_id: string, more: object) {
  const control = createControl([orderControl(lab.service.labs.orders)]);
  const answer = await control.inject({ method: 'POST', url: '/orders/script', payload: { order_id, ...more } });
  await control.close();
  return { status: answer.statusCode, body: answer.json() };
}

const step = (status: string, after = 0) => ({ status, after });

test('orders of all methods are completed within a month, and each change is told with the whole order', async () => {
  const ids = await Promise.all(collectionMethods.map((method) => lab.order(method)));
  await lab.pass(30 * DAY);
  for (const [index, id] of ids.entries()) {
    const order = await get(id);
    expect(order).toMatchObject({ status: 'completed', order_transaction: { status: 'completed' } });
    expect(order.last_event.status).toBe(`completed.${collectionMethods[index]}.completed`);
    expect(order.sample_id).toMatch(/^\d{10}$/);
    expect(order.updated_at).toBe(order.last_event.created_at);
    expect(order.expected_result_by_date).toMatch(/^2026-01-\d\d$/);
    const told = lab.told('labtest.order').filter(({ data }) => data.id === id);
    const lows = lowsOf(order);
    // Partial results cause no event.
    expect(told.map(({ data }) => lowsOf(data).at(-1))).toEqual(lows.filter((low) => low !== 'partial_results'));
    expect(told.map(({ event_type }) => event_type)).toEqual(
      told.map((_, at) => (at === 0 ? 'labtest.order.created' : 'labtest.order.updated')),
    );
    for (const { data, created_at } of told) {
      expect(Date.parse(data.last_event.created_at)).toBe(created_at);
      expect(data.events).toEqual(order.events.slice(0, data.events.length));
    }
  }
});

test('a team can ask for events about partial results', async () => {
  const other = lab.service.teams.create('partial', { partial_webhooks_enabled: true });
  const user = lab.service.users.create(other.team_id, 'p', {}) as { user_id: string };
  const { endpoint_id } = lab.service.endpoints.create(other.team_id, { url: 'http://127.0.0.1:1/' });
  lab.service.endpoints.setDisabled(endpoint_id, true);
  const body = { user_id: user.user_id, order_set: { lab_test_ids: [testOf('walk_in_test')] }, ...patient };
  const headers = { 'x-service-api-key': other.api_key };
  const id = (await lab.ask('POST', '/v3/order', body, headers)).body.order.id;
  await script(id, { steps: [step('partial_results')] });
  await lab.pass(0);
  const last = lab.service.outbox.after(other.team_id, 0, 10).at(-1)!;
  expect(JSON.parse(last.body).data).toMatchObject({
    id,
    last_event: { status: 'sample_with_lab.walk_in_test.partial_results' },
  });
});

test('a sample is collected, received and reported, in this order', async () => {
  const ids = await Promise.all(collectionMethods.map((method) => lab.order(method)));
  const visit = await lab.order('walk_in_test');
  await script(visit, { steps: [step('requisition_created', 60), step('completed', 2 * 86_400 - 60)] });
  await lab.pass(30 * DAY);
  for (const id of ids) {
    const { collected_at, received_at, reported_at } = lab.service.labs.results.of(id)!;
    const times = [START, collected_at, received_at, reported_at];
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(received_at).toBeLessThan(reported_at);
  }
  expect(lab.service.labs.results.of(visit)).toMatchObject({
    collected_at: START + 28 * 60 * MINUTE,
    received_at: START + 32 * 60 * MINUTE,
    reported_at: START + 2 * DAY,
  });
});

test('the final results contain the partial ones unchanged', async () => {
  const id = await lab.order('walk_in_test');
  expect((await results(id)).body).toEqual({ detail: 'The order has no results yet' });
  await script(id, { steps: [step('requisition_created'), step('partial_results', 3600), step('completed', 86_400)] });
  await lab.pass(DAY - 1);
  const partial = (await results(id)).body;
  expect(partial.metadata.status).toBe('partial');
  await lab.pass(DAY);
  const final = (await results(id)).body;
  expect(final.metadata.status).toBe('final');
  expect(final.results.length).toBeGreaterThan(partial.results.length);
  expect(final.results).toEqual(expect.arrayContaining(partial.results));
});

test('each result is read by its type, and has no member `value`', async () => {
  const id = await lab.order('walk_in_test');
  await lab.pass(30 * DAY);
  const { body } = await results(id);
  expect(body.results.length).toBeGreaterThan(5);
  for (const result of body.results) {
    expect(result).not.toHaveProperty('value');
    expect(result.type).toBe(result.result_type);
    expect(typeof result.result).toBe('string');
  }
  const { lab_test } = await get(id);
  expect(body.order_transaction.orders[0].id).toBe(id);
  const sources = body.results.flatMap((one: { source_markers: { marker_id: number }[] }) =>
    one.source_markers.map(({ marker_id }) => marker_id),
  );
  expect(new Set(sources)).toEqual(new Set(lab_test.markers.map((marker: { id: number }) => marker.id)));
});

test('a critical result is told, partial and final', async () => {
  const id = await lab.order('walk_in_test');
  await script(id, {
    interpretation: 'critical',
    steps: [step('requisition_created'), step('partial_results', 60), step('completed', 60)],
  });
  await lab.pass(2 * MINUTE);
  const order = await get(id);
  expect(order.interpretation).toBe('critical');
  const final = { order_id: id, sample_id: order.sample_id, status: 'final', interpretation: 'critical', team_id: lab.team };
  const told = lab.told('labtest.result.critical').map(({ data }) => data);
  expect(told.at(-1)).toEqual({
    ...final,
    user_id: lab.user,
    created_at: '2026-01-01T12:00:00.000+00:00',
    updated_at: '2026-01-01T12:02:00.000+00:00',
  });
  // The partial results are critical only if the critical result is among them.
  const { results: all } = (await results(id)).body;
  const half = all
    .slice(0, Math.ceil(all.length / 2))
    .some((one: { interpretation: string }) => one.interpretation === 'critical');
  expect(told.map(({ status }) => status)).toEqual(half ? ['partial', 'final'] : ['final']);
});

test.each(['normal', 'abnormal', 'critical', 'unknown'])('a script decides that the results are %s', async (interpretation) => {
  const id = await lab.order('walk_in_test');
  await script(id, { interpretation, has_missing_results: true, steps: [step('completed')] });
  await lab.pass(0);
  expect(await get(id)).toMatchObject({ interpretation, has_missing_results: true });
  const { body } = await results(id);
  expect(body.metadata.interpretation).toBe(interpretation);
  expect(body.missing_results.length).toBeGreaterThan(0);
});

test('a completed order can be corrected, with other results', async () => {
  const id = await lab.order('walk_in_test');
  await script(id, { steps: [step('completed'), step('corrected', 60)] });
  await lab.pass(0);
  const before = (await results(id)).body.results;
  await lab.pass(MINUTE);
  expect(lowsOf(await get(id))).toEqual(['ordered', 'completed', 'corrected']);
  expect((await results(id)).body.results).not.toEqual(before);
});

test('a script may let an order fail, with a reason, and then it stays so', async () => {
  const id = await lab.order('testkit');
  const { status, body } = await script(id, {
    steps: [step('requisition_created', 10), { status: 'sample_error', after: 20, status_detail: 'sample_hemolyzed' }],
  });
  expect([status, body.steps]).toEqual([
    200,
    [
      { status: 'requisition_created', at: '2026-01-01T12:00:10.000+00:00' },
      { status: 'sample_error', at: '2026-01-01T12:00:30.000+00:00' },
    ],
  ]);
  await lab.pass(30 * DAY);
  const order = await get(id);
  expect(order.last_event).toMatchObject({ status: 'failed.testkit.sample_error', status_detail: 'sample_hemolyzed' });
  expect(order.order_transaction.status).toBe('cancelled');
});

test('a script that the life cycle does not allow is refused as a whole', async () => {
  const id = await lab.order('walk_in_test');
  const { status, body } = await script(id, { steps: [step('completed'), step('partial_results')] });
  expect([status, body.detail]).toEqual([
    409,
    'An order of the method walk_in_test cannot go from completed to partial_results.',
  ]);
  expect((await script('00000000-0000-4000-8000-000000000009', {})).status).toBe(404);
  const shipped = await script(id, { steps: [step('transit_lab')] });
  expect([shipped.status, shipped.body.detail]).toEqual([
    409,
    expect.stringMatching(
      /^An order of the method walk_in_test cannot have the status transit_lab\. Its statuses are ordered, .*, cancelled\.$/,
    ),
  ]);
  for (const misspelt of [{ step: [] }, { steps: [{ status: 'completed', delay: 60 }] }])
    expect((await script(id, misspelt)).status).toBe(422);
  await lab.pass(MINUTE);
  expect(lowsOf(await get(id))).toEqual(['ordered']);
});

test('an order is cancelled once, and only before its sample is taken', async () => {
  const [early, late] = [await lab.order('testkit'), await lab.order('testkit')];
  const cancel = (id: string) => lab.ask('POST', `/v3/order/${id}/cancel`);
  const { status, body } = await cancel(early);
  expect([status, body.message, lowsOf(body.order)]).toEqual([200, 'Order cancelled', ['ordered', 'cancelled']]);
  expect(await cancel(early)).toEqual({
    status: 400,
    body: { detail: 'The order cannot be cancelled: its status is cancelled' },
  });
  await script(late, { steps: [step('transit_lab')] });
  await lab.pass(0);
  expect((await cancel(late)).body.detail).toBe('The order cannot be cancelled: its status is transit_lab');
  await lab.pass(30 * DAY);
  expect(lowsOf(await get(early))).toEqual(['ordered', 'cancelled']);
  expect(lab.told('labtest.order.updated').filter(({ data }) => data.id === early)).toHaveLength(1);
});

test('an order begins on the date of activate_by, which can be changed until then', async () => {
  const id = await lab.order('on_site_collection', { activate_by: '2026-01-10' });
  const change = (activate_by: unknown, order = id) => lab.ask('PATCH', `/v3/order/${order}`, { activate_by });
  await lab.pass(5 * DAY);
  expect(lowsOf(await get(id))).toEqual(['ordered']);
  expect((await change('2026-01-02')).body.detail).toBe('activate_by is in the past');
  expect((await change('2026-01-08')).body.order.activate_by).toBe('2026-01-08');
  await lab.pass(Date.parse('2026-01-08') - START - 5 * DAY);
  expect(lowsOf(await get(id))).toEqual(['ordered']);
  await lab.pass(4 * MINUTE);
  expect(lowsOf(await get(id))).toEqual(['ordered', 'requisition_created']);
  expect((await change(null)).body.detail).toBe('The order has begun: its status is requisition_created');
  const soon = await lab.order('on_site_collection', { activate_by: '2026-02-01' });
  expect((await change(null, soon)).body.order.activate_by).toBeNull();
  await lab.pass(4 * MINUTE);
  expect(lowsOf(await get(soon))).toEqual(['ordered', 'requisition_created']);
  expect((await change('2026-03-01', await lab.order('testkit'))).body.detail).toBe('The order was created without activate_by');
});

test('a kit is registered by its sample id, and only then has a patient', async () => {
  const shipping_details = {
    receiver_name: 'Jo',
    first_line: '1 Main',
    city: 'Phoenix',
    state: 'AZ',
    zip: '85004',
    country: 'US',
    phone_number: '1',
  };
  const asked = { user_id: lab.user, lab_test_id: testOf('testkit'), shipping_details };
  const { body } = await lab.ask('POST', '/v3/order/testkit', asked);
  const { id, sample_id } = body.order;
  expect(body.order).toMatchObject({ patient_details: null, patient_address: null, shipping_details });
  expect(lowsOf(body.order)).toEqual(['ordered', 'awaiting_registration']);
  await lab.pass(30 * DAY);
  expect(lowsOf(await get(id))).toEqual(['ordered', 'awaiting_registration']);
  const register = (more: object) => lab.ask('POST', '/v3/order/testkit/register', { sample_id, ...patient, ...more });
  expect((await register({ sample_id: 'x' })).status).toBe(404);
  expect((await register({ user_id: '00000000-0000-4000-8000-000000000009' })).status).toBe(404);
  expect((await register({})).body.order).toMatchObject({ patient_details: { last_name: 'Planted' } });
  expect((await register({})).body.detail).toBe('The kit cannot be registered: its status is registered');
  await lab.pass(30 * DAY);
  expect(lowsOf(await get(id)).slice(2)).toEqual([
    'registered',
    'requisition_created',
    'transit_lab',
    'delivered_to_lab',
    'completed',
  ]);
});

test('the draw of an on-site collection can be told once', async () => {
  const id = await lab.order('on_site_collection');
  const draw = (order: string) => lab.ask('PATCH', `/v3/order/${order}/draw_completed`);
  expect(lowsOf((await draw(id)).body.order)).toEqual(['ordered', 'draw_completed']);
  expect((await draw(id)).body.detail).toBe('The sample was taken: the status of the order is draw_completed');
  expect((await draw(await lab.order('testkit'))).body.detail).toBe('The sample is taken by the method testkit');
  await lab.pass(30 * DAY);
  expect((await get(id)).status).toBe('completed');
});

test('a simulation goes to the wanted status, with a delay before each step', async () => {
  const id = await lab.order('at_home_phlebotomy');
  const simulate = (query: string, body?: object, order = id) => lab.ask('POST', `/v3/order/${order}/test${query}`, body);
  const wanted = { interpretation: 'abnormal' };
  expect(await simulate('?delay=60&final_status=completed.at_home_phlebotomy.completed', wanted)).toEqual({
    status: 200,
    body: null,
  });
  await lab.pass(2 * MINUTE);
  expect(lowsOf(await get(id))).toEqual(['ordered', 'requisition_created', 'appointment_pending']);
  await lab.pass(5 * MINUTE);
  expect(await get(id)).toMatchObject({ status: 'completed', interpretation: 'abnormal' });
  expect((await simulate('')).body.detail).toBe('The order cannot go from completed to completed');
  const other = await lab.order('testkit');
  expect((await simulate('?final_status=completed.walk_in_test.completed', undefined, other)).body.detail).toBe(
    'An order of the method testkit cannot have this status',
  );
  await simulate('?final_status=failed.testkit.lost', undefined, other);
  await lab.pass(0);
  expect((await get(other)).last_event.status).toBe('failed.testkit.lost');
});

test('events of orders are sent again on request', async () => {
  const [first, second] = [await lab.order('testkit'), await lab.order('walk_in_test')];
  const resend = (body: object) => lab.ask('POST', '/v3/order/resend_events', body);
  const before = lab.told().length;
  expect((await resend({ order_ids: [second, '00000000-0000-4000-8000-000000000009'] })).body).toEqual({ order_ids: [second] });
  expect((await resend({ start_at: '2026-01-01', end_at: '2026-01-01' })).body).toEqual({ order_ids: [first, second] });
  expect((await resend({ start_at: '2026-01-02' })).body).toEqual({ order_ids: [] });
  expect((await resend({})).body.detail).toBe('Give order_ids, or start_at and end_at');
  expect(
    lab
      .told()
      .slice(before)
      .map(({ event_type, data }) => [event_type, data.id]),
  ).toEqual([second, first, second].map((id) => ['labtest.order.updated', id]));
});

test('the orders of a deleted user are gone, and go on if the deletion is undone', async () => {
  const id = await lab.order('walk_in_test');
  await lab.pass(10 * MINUTE);
  const told = lab.told().length;
  lab.service.users.delete(lab.team, lab.user);
  expect((await lab.ask('GET', `/v3/order/${id}`)).status).toBe(404);
  expect((await lab.ask('GET', '/v3/orders')).body.total).toBe(0);
  await lab.pass(6 * DAY);
  expect(lab.told()).toHaveLength(told);
  lab.service.users.undoDeletion(lab.team, { user_id: lab.user });
  await lab.pass(5 * DAY);
  expect((await get(id)).status).toBe('completed');
  lab.service.users.delete(lab.team, lab.user);
  await lab.pass(8 * DAY);
  expect(lab.service.labs.orders.any(id)).toBeUndefined();
});

test('an order of another team cannot be seen or changed', async () => {
  const id = await lab.order('on_site_collection');
  const before = await get(id);
  const headers = { 'x-service-api-key': lab.service.teams.create('other').api_key };
  const calls: ['GET' | 'POST' | 'PATCH', string, object?][] = [
    ['GET', `/v3/order/${id}`],
    ['PATCH', `/v3/order/${id}`, { activate_by: null }],
    ['POST', `/v3/order/${id}/cancel`],
    ['POST', `/v3/order/${id}/test`],
    ['PATCH', `/v3/order/${id}/draw_completed`],
    ...['result', 'result/pdf', 'result/metadata', 'requisition/pdf'].map((part): ['GET', string] => [
      'GET',
      `/v3/order/${id}/${part}`,
    ]),
    ...['', '/result', '/result/pdf'].map((part): ['GET', string] => [
      'GET',
      `/v3/order_transaction/${before.order_transaction.id}${part}`,
    ]),
  ];
  for (const [method, url, body] of calls) expect((await lab.ask(method, url, body, headers)).status, url).toBe(404);
  expect((await lab.ask('GET', '/v3/orders', undefined, headers)).body.total).toBe(0);
  expect((await lab.ask('POST', '/v3/order/resend_events', { order_ids: [id] }, headers)).body).toEqual({ order_ids: [] });
  await lab.pass(0);
  expect(await get(id)).toEqual(before);
});

test('orders go on after a restart, and the same seed gives the same orders', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-orders-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'state.sqlite');
  const first = openLab({ path });
  const id = await first.order('testkit');
  await first.pass(3 * DAY);
  await first[Symbol.asyncDispose]();
  const again = openLab({ path });
  await again.pass(30 * DAY);
  const restarted = again.service.labs.form(again.service.labs.orders.any(id)!);
  const whole = openLab();
  expect(await whole.order('testkit')).toBe(id);
  await whole.pass(33 * DAY);
  const unbroken = whole.service.labs.form(whole.service.labs.orders.any(id)!);
  expect(restarted.status).toBe('completed');
  expect(restarted.events).toEqual(unbroken.events);
  expect(again.service.labs.results.of(id)).toEqual(whole.service.labs.results.of(id));
  await again[Symbol.asyncDispose]();
  await whole[Symbol.asyncDispose]();
});

test('the events of an order are its history, in any sequence of requests and scripts', async () => {
  const lows = [
    'requisition_created',
    'appointment_scheduled',
    'partial_results',
    'completed',
    'corrected',
    'sample_error',
  ] as const;
  const action = fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), hours: fc.nat(60) }),
    fc.record({ kind: fc.constant('cancel' as const) }),
    fc.record({ kind: fc.constant('script' as const), low: fc.constantFrom(...lows), after: fc.nat(100_000) }),
    fc.record({ kind: fc.constant('simulate' as const), delay: fc.nat(10_000) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...collectionMethods), fc.array(action, { maxLength: 8 }), async (method, actions) => {
      const id = await lab.order(method);
      const from = lab.told().length;
      for (const act of actions) {
        if (act.kind === 'pass') await lab.pass(act.hours * 3_600_000);
        else if (act.kind === 'cancel') await lab.ask('POST', `/v3/order/${id}/cancel`);
        else if (act.kind === 'script') await script(id, { steps: [step(act.low, act.after)] });
        else await lab.ask('POST', `/v3/order/${id}/test?delay=${act.delay}`);
      }
      const order = await get(id);
      const times = order.events.map(({ created_at }: { created_at: string }) => created_at);
      expect(times).toEqual([...times].sort());
      const ids = order.events.map((event: { id: number }) => event.id);
      expect(ids).toEqual([...new Set<number>(ids)].sort((a, b) => a - b));
      expect(order.last_event).toEqual(order.events.at(-1));
      expect(order.last_event.status.split('.')[0]).toBe(order.status);
      const ends = lowsOf(order).filter((low) => ['completed', 'cancelled', 'sample_error'].includes(low));
      expect(ends.length).toBeLessThanOrEqual(1);
      const hasResults = lowsOf(order).some((low) => ['partial_results', 'completed'].includes(low));
      expect([order.interpretation !== null, (await results(id)).status]).toEqual([hasResults, hasResults ? 200 : 404]);
      const told = lab
        .told()
        .slice(from)
        .filter(({ event_type, data }) => event_type === 'labtest.order.updated' && data.id === id);
      expect(told.map(({ data }) => lowsOf(data).at(-1))).toEqual(
        lowsOf(order)
          .slice(1)
          .filter((low) => low !== 'partial_results'),
      );
    }),
    { numRuns: 30 },
  );
});
