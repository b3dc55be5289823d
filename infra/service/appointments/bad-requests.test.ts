import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancellationReasons } from './appointment-operations.ts';
import { startLabService } from './lab-service.fixture.ts';

type Method = 'GET' | 'POST' | 'PATCH';

let lab: ReturnType<typeof startLabService>;
/** Orders by what they are. */
const orders: Record<string, string> = {};
beforeAll(async () => {
  lab = startLabService();
  orders.old = await lab.order('at_home_phlebotomy');
  orders.cancelled = await lab.order('at_home_phlebotomy');
  await lab.ask('POST', `/v3/order/${orders.cancelled}/cancel`);
  for (const method of ['at_home_phlebotomy', 'walk_in_test', 'testkit', 'on_site_collection'])
    orders[method] = await lab.order(method);
  orders.booked = await lab.order('at_home_phlebotomy');
  orders.pending = await lab.order('at_home_phlebotomy');
  await lab.pass(0.1);
  await lab.ask('POST', path('booked', 'phlebotomy', '/book'), { booking_key: MONDAY });
  await lab.ask('POST', path('pending', 'phlebotomy', '/request'), { address, provider: 'getlabs' });
  orders.new = await lab.order('at_home_phlebotomy');
  await lab.ask('POST', `/v3/order/${orders.old}/test`);
  await lab.pass(0);
});
afterAll(() => lab.close());

const address = { first_line: '1 Main Street', city: 'Phoenix', state: 'AZ', zip_code: '85004' };
const MONDAY = 'phlebotomy|America/Phoenix|2026-01-05T16:00:00.000+00:00';
const AT_SITE = 'patient_service_center|AZ1|2026-01-05T16:00:00.000+00:00';
const reason = { cancellation_reason_id: cancellationReasons[0].id };
const path = (order: string, kind: string, rest = '') =>
  `/v3/order/${orders[order] ?? '7a1e2b3c-0000-4000-8000-000000000001'}/${kind}/appointment${rest}`;

/** Makes a call such as `POST booked/phlebotomy/book`. The first part of the path names an order. */
function ask(call: string, body: object | undefined) {
  const [, method, order, kind, rest] = /^(\w+) (\w+)\/(\w+)(.*)$/.exec(call)!;
  return lab.ask(method as Method, path(order!, kind!, rest), body);
}

const keyOf = (booking_key: string) => ({ booking_key });

const refused: readonly (readonly [why: string, call: string, body: object, detail: string])[] = [
  ['an empty key', 'POST at_home_phlebotomy/phlebotomy/book', keyOf(''), 'booking_key is malformed'],
  ['a key of another service', 'POST at_home_phlebotomy/phlebotomy/book', keyOf('YWJj'), 'booking_key is malformed'],
  ['a longer key', 'POST at_home_phlebotomy/phlebotomy/book', keyOf(`${MONDAY}|`), 'booking_key is malformed'],
  ['a key without a time', 'POST walk_in_test/psc/book', keyOf('patient_service_center|AZ1|x'), 'booking_key is malformed'],
  ['a key of a site for a home', 'POST at_home_phlebotomy/phlebotomy/book', keyOf(AT_SITE), 'booking_key is for an app'],
  ['a key of a home for a site', 'POST walk_in_test/psc/book', keyOf(MONDAY), 'booking_key is for an appointment of'],
  ['an unknown site', 'POST walk_in_test/psc/book', keyOf(AT_SITE.replace('AZ1', 'XX')), 'booking_key names no slot'],
  ['an unknown zone', 'POST at_home_phlebotomy/phlebotomy/book', keyOf(MONDAY.replace('Ph', 'X')), 'booking_key names no'],
  ['a time at night', 'POST at_home_phlebotomy/phlebotomy/book', keyOf(MONDAY.replace('16', '04')), 'booking_key names no'],
  ['half past', 'POST at_home_phlebotomy/phlebotomy/book', keyOf(MONDAY.replace('16:00', '16:30')), 'booking_key names no'],
  ['a Sunday', 'POST at_home_phlebotomy/phlebotomy/book', keyOf(MONDAY.replace('05', '04')), 'booking_key names no slot'],
  [
    'the past',
    'POST at_home_phlebotomy/phlebotomy/book',
    keyOf(MONDAY.replace('2026', '2025').replace('05', '06')),
    'booking_key names a slot in the past',
  ],
  ['a test kit', 'POST testkit/phlebotomy/book', keyOf(MONDAY), 'An order of the method testkit has no appointment'],
  ['a collection on site', 'POST on_site_collection/psc/book', keyOf(AT_SITE), 'An order of the method on_site_collection'],
  ['a walk-in order at home', 'POST walk_in_test/phlebotomy/book', keyOf(MONDAY), 'An order of the method walk_in_test has'],
  [
    'an order without a requisition',
    'POST new/phlebotomy/book',
    keyOf(MONDAY),
    'The order gets no appointment: its status is ordered',
  ],
  [
    'a cancelled order',
    'POST cancelled/phlebotomy/book',
    keyOf(MONDAY),
    'The order gets no appointment: its status is cancelled',
  ],
  ['a completed order', 'POST old/phlebotomy/book', keyOf(MONDAY), 'The order gets no appointment: its status is completed'],
  ['a second appointment', 'POST booked/phlebotomy/book', keyOf(MONDAY), 'The order has an appointment: reschedule or cancel'],
  ['a second request', 'POST pending/phlebotomy/request', { address, provider: 'getlabs' }, 'The order has an appointment: re'],
  ['a booking beside a request', 'POST pending/phlebotomy/book', keyOf(MONDAY), 'The order has an appointment: reschedule or'],
  [
    'a laboratory as visitor',
    'POST at_home_phlebotomy/phlebotomy/request',
    { address, provider: 'quest' },
    'The provider quest visits no patients',
  ],
  [
    'another slot before the confirmation',
    'PATCH pending/phlebotomy/reschedule',
    keyOf(MONDAY),
    'The appointment cannot be rescheduled: its status is pending',
  ],
  [
    'another slot after the draw',
    'PATCH old/phlebotomy/reschedule',
    keyOf(MONDAY),
    'The appointment cannot be rescheduled: its status is completed',
  ],
  ['a malformed new key', 'PATCH booked/phlebotomy/reschedule', keyOf('x'), 'booking_key is malformed'],
  [
    'a cancellation after the draw',
    'PATCH old/phlebotomy/cancel',
    reason,
    'The appointment cannot be cancelled: its status is completed',
  ],
  [
    'an unknown reason',
    'PATCH booked/phlebotomy/cancel',
    { cancellationReasonId: '7a1e2b3c-0000-4000-8000-000000000001' },
    'Unknown cancellation reason',
  ],
];

test.each(refused)('%s is refused (%s)', async (_, call, body, detail) => {
  const answer = await ask(call, body);
  expect([answer.status, answer.body]).toEqual([400, { detail: expect.stringMatching(new RegExp(`^${detail}`)) }]);
});

test('a cancellation is refused once the appointment has begun', async () => {
  const other = startLabService();
  const order = await other.order('walk_in_test');
  await other.pass(0.1);
  const url = `/v3/order/${order}/psc/appointment`;
  await other.ask('POST', `${url}/book`, { booking_key: AT_SITE });
  await other.pass(4 * 24 + 4.5);
  const { status, body } = await other.ask('PATCH', `${url}/cancel`, reason);
  expect([status, body.detail]).toEqual([400, 'The appointment cannot be cancelled: it has begun']);
  await other.close();
});

describe('an order that the team does not have, or an appointment that the order does not have', () => {
  test.each([
    ['POST unknown/phlebotomy/book', keyOf(MONDAY), 'Order not found'],
    ['POST unknown/psc/book', keyOf(AT_SITE), 'Order not found'],
    ['POST unknown/phlebotomy/request', { address, provider: 'getlabs' }, 'Order not found'],
    ['PATCH unknown/psc/reschedule', keyOf(AT_SITE), 'Order not found'],
    ['PATCH unknown/psc/cancel', reason, 'Order not found'],
    ['GET unknown/psc', undefined, 'Order not found'],
    ['GET at_home_phlebotomy/phlebotomy', undefined, 'Appointment not found'],
    ['GET booked/psc', undefined, 'Appointment not found'],
    ['PATCH booked/psc/cancel', reason, 'Appointment not found'],
    ['PATCH walk_in_test/psc/reschedule', keyOf(AT_SITE), 'Appointment not found'],
  ] as const)('%s', async (call, body, detail) => {
    expect(await ask(call, body)).toEqual({ status: 404, body: { detail } });
  });

  test('an order of another team is not found', async () => {
    const { api_key } = lab.service.teams.create('second');
    const answer = await lab.ask('GET', path('booked', 'phlebotomy'), undefined, { 'x-service-api-key': api_key });
    expect(answer).toEqual({ status: 404, body: { detail: 'Order not found' } });
  });
});

describe('a malformed request', () => {
  test.each([
    ['POST at_home_phlebotomy/phlebotomy/book', {}],
    ['POST at_home_phlebotomy/phlebotomy/book', { booking_key: MONDAY, appointment_notes: 'x'.repeat(1001) }],
    ['POST at_home_phlebotomy/psc/book', { booking_key: AT_SITE, sync_confirmation_timeout_millisecond: 1 }],
    ['POST at_home_phlebotomy/phlebotomy/request', { provider: 'getlabs' }],
    ['POST at_home_phlebotomy/phlebotomy/request', { address, provider: 'other' }],
    ['POST at_home_phlebotomy/phlebotomy/request', { address: { ...address, zip_code: '8500' }, provider: 'getlabs' }],
    ['PATCH at_home_phlebotomy/phlebotomy/cancel', {}],
    ['PATCH at_home_phlebotomy/psc/cancel', { cancellationReasonId: 'x' }],
  ] as const)('%s %j gets status 422', async (call, body) => {
    const answer = await ask(call, body);
    expect([answer.status, answer.body.detail]).toEqual([422, expect.any(Array)]);
  });
});

describe('availability', () => {
  const PSC = '/v3/order/psc/appointment/availability';

  test('at home: every slot has a key, with which it can be booked', async () => {
    const { body } = await lab.ask('POST', '/v3/order/phlebotomy/appointment/availability?start_date=2026-02-02', address);
    expect(body).toMatchObject({ timezone: 'America/Phoenix', slots: { length: 5, 0: { location: null, date: '2026-02-02' } } });
    const [{ slots }] = body.slots as [{ slots: object[] }];
    expect(slots[0]).toEqual({
      booking_key: 'phlebotomy|America/Phoenix|2026-02-02T15:00:00.000+00:00',
      start: '2026-02-02T15:00:00.000+00:00',
      end: '2026-02-02T16:00:00.000+00:00',
      expires_at: '2026-02-02T15:00:00.000+00:00',
      price: 0,
      is_priority: false,
      num_appointments_available: 1,
    });
  });

  test('at patient service centers: each day has its site', async () => {
    const { body } = await lab.ask('POST', `${PSC}?lab=quest&zip_code=85016&start_date=2026-02-02&radius=10`);
    expect(body).toMatchObject({ timezone: 'America/Phoenix', slots: { length: 5 } });
    expect((body.slots as object[])[0]).toMatchObject({
      location: {
        code: 'AZ2',
        distance: 0,
        iana_timezone: 'America/Phoenix',
        address: { first_line: '27 Sample Road', zip_code: '85016', second_line: null, unit: null, access_notes: null },
      },
      slots: { length: 9, 0: { booking_key: 'patient_service_center|AZ2|2026-02-02T15:00:00.000+00:00' } },
    });
    const both = (await lab.ask('POST', `${PSC}?lab=quest&site_codes=AZ1&site_codes=NY1`)).body;
    expect(both).toMatchObject({ timezone: null, slots: { length: 10 } });
  });

  test.each(['lab=sonora_quest', 'lab=quest&site_codes=XX', 'lab=quest&zip_code=99501'])('%s finds no site', async (query) => {
    const { status, body } = await lab.ask('POST', `${PSC}?${query}`);
    expect([status, body.detail]).toEqual([404, expect.stringMatching(/has no such site$/)]);
  });

  test.each(['', 'lab=other', 'lab=quest&radius=11', 'lab=quest&zip_code=850', 'lab=quest&start_date=x'])(
    '%j is malformed',
    async (query) => expect((await lab.ask('POST', `${PSC}?${query}`)).status).toBe(422),
  );
});
