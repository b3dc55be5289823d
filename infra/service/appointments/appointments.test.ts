import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cancellationReasons } from './appointment-operations.ts';
import { at, eventsOf, FRIDAY, FRIDAY_END, HOME, MONDAY, MONDAY_END, SITE, startLabService } from './lab-service.fixture.ts';

let lab: ReturnType<typeof startLabService>;
beforeEach(() => {
  lab = startLabService();
});
afterEach(() => lab.close());

const reason = cancellationReasons[0].id;

const kinds = [
  { kind: 'phlebotomy', method: 'at_home_phlebotomy', key: HOME, type: 'phlebotomy', provider: 'getlabs', line: '1 Main Street' },
  {
    kind: 'psc',
    method: 'walk_in_test',
    key: SITE,
    type: 'patient_service_center',
    provider: 'quest',
    line: '400 Example Avenue',
  },
];

/** Returns the events since the `from`th: what each is about, and its status. */
const told = (from = 0) =>
  lab
    .told()
    .slice(from)
    .map(({ event_type, data }) => {
      const { status } = (data.last_event as { status: string } | undefined) ?? data;
      return `${event_type.split('.').slice(1).join(' ')}: ${status.split('.').at(-1)}`;
    });

describe.each(kinds)('an appointment of the type $type', ({ kind, method, key, type, provider, line }) => {
  const book = (order: string, start = FRIDAY, headers = {}) =>
    lab.ask('POST', at(order, kind, '/book'), { booking_key: key + start, appointment_notes: 'ring twice' }, headers);

  test('is booked: the order is scheduled, and takes its course after the slot', async () => {
    const order = await lab.ready(method);
    const before = lab.told().length;
    const { status, body } = await book(order);
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        user_id: lab.user_id,
        order_id: order,
        order_transaction_id: expect.any(String),
        address: expect.objectContaining({ first_line: line, city: 'Phoenix', state: 'AZ', zip_code: '85004' }),
        location: { lng: expect.any(Number), lat: expect.any(Number) },
        start_at: FRIDAY,
        end_at: FRIDAY_END,
        iana_timezone: 'America/Phoenix',
        type,
        provider,
        status: 'confirmed',
        provider_id: expect.any(String),
        external_id: null,
        can_reschedule: true,
        appointment_notes: 'ring twice',
        event_status: 'scheduled',
        event_data: null,
        events: [{ created_at: '2026-01-01T12:06:00.000+00:00', status: 'scheduled', data: null }],
      },
    ]);
    expect(await lab.last(order, kind)).toEqual(body);
    expect(told(before)).toEqual(['appointment created: confirmed', 'order updated: appointment_scheduled']);
    expect(lab.told().at(-2)!.data).toEqual(body);
    expect((await lab.ask('GET', `/v3/order/${order}`)).body.details).toMatchObject({ data: { appointment_id: body.id } });
    await lab.pass(28.8);
    expect(await lab.last(order, kind)).toMatchObject({ status: 'confirmed' });
    await lab.pass(0.1);
    const events = [
      { created_at: '2026-01-01T12:06:00.000+00:00', status: 'scheduled', data: null },
      { created_at: FRIDAY_END, status: 'completed', data: null },
    ];
    expect(await lab.last(order, kind)).toMatchObject({
      status: 'completed',
      event_status: 'completed',
      can_reschedule: false,
      events,
    });
    expect(told(before).slice(2)).toEqual([
      'appointment updated: completed',
      ...(kind === 'psc' ? [] : ['order updated: draw_completed']),
    ]);
    expect(await lab.statusOf(order)).toBe(kind === 'psc' ? 'appointment_scheduled' : 'draw_completed');
    await lab.pass(8 * 24);
    expect(await lab.statusOf(order)).toBe('completed');
    expect(eventsOf(await lab.last(order, kind))).toEqual(['scheduled', 'completed']);
    expect(lab.service.labs.results.of(order)).toMatchObject({ collected_at: Date.parse(FRIDAY_END) });
  });

  test('is rescheduled: the order waits for the new slot', async () => {
    const order = await lab.ready(method);
    const { id } = (await book(order)).body;
    const before = lab.told().length;
    const { body } = await lab.ask('PATCH', at(order, kind, '/reschedule'), { booking_key: key + MONDAY });
    expect(body).toMatchObject({
      id,
      status: 'confirmed',
      start_at: MONDAY,
      end_at: MONDAY_END,
      appointment_notes: 'ring twice',
    });
    expect(eventsOf(body)).toEqual(['scheduled', 'scheduled']);
    expect(told(before)).toEqual(['appointment updated: confirmed']);
    await lab.pass(4 * 24 + 4);
    expect(await lab.last(order, kind)).toMatchObject({ status: 'confirmed' });
    await lab.pass(1);
    expect(await lab.last(order, kind)).toMatchObject({ status: 'completed', end_at: MONDAY_END });
    await lab.pass(8 * 24);
    expect(await lab.statusOf(order)).toBe('completed');
  });

  test('cannot be rescheduled from 24 hours before it begins on', async () => {
    const order = await lab.ready(method);
    await book(order);
    await lab.pass(3.89);
    expect((await lab.last(order, kind)).can_reschedule).toBe(true);
    await lab.pass(0.01);
    expect((await lab.last(order, kind)).can_reschedule).toBe(false);
    const { status, body } = await lab.ask('PATCH', at(order, kind, '/reschedule'), { booking_key: key + MONDAY });
    expect([status, body.detail]).toEqual([
      400,
      expect.stringMatching(/^The appointment cannot be rescheduled: it begins within/),
    ]);
  });

  test('is cancelled: the order goes on, and can get a new one', async () => {
    const order = await lab.ready(method);
    const { id } = (await book(order)).body;
    const before = lab.told().length;
    const { body } = await lab.ask('PATCH', at(order, kind, '/cancel'), { cancellation_reason_id: reason, notes: 'later' });
    const data = { cancellation_reason_id: reason, notes: 'later' };
    expect(body).toMatchObject({ id, status: 'cancelled', event_status: 'cancelled', event_data: data, can_reschedule: false });
    expect(told(before)).toEqual(['appointment updated: cancelled', 'order updated: appointment_cancelled']);
    expect((await lab.ask('GET', `/v3/order/${order}`)).body.details).toMatchObject({ data: { appointment_id: null } });
    const again = (await book(order, MONDAY)).body;
    expect(again.id).not.toBe(id);
    expect(await lab.last(order, kind)).toEqual(again);
    await lab.pass(12 * 24);
    expect(await lab.statusOf(order)).toBe('completed');
    expect(await lab.last(order, kind)).toMatchObject({ id: again.id, status: 'completed' });
  });

  test('is cancelled in the other spelling, too', async () => {
    const order = await lab.ready(method);
    await book(order);
    const { body } = await lab.ask('PATCH', at(order, kind, '/cancel'), { cancellationReasonId: reason, note: 'later' });
    expect(body.event_data).toEqual({ cancellation_reason_id: reason, notes: 'later' });
  });

  test('is cancelled with its order', async () => {
    const order = await lab.ready(method);
    await book(order);
    const before = lab.told().length;
    await lab.ask('POST', `/v3/order/${order}/cancel`);
    expect(told(before)).toEqual(['appointment updated: cancelled', 'order updated: cancelled']);
    await lab.pass(20 * 24);
    expect(eventsOf(await lab.last(order, kind))).toEqual(['scheduled', 'cancelled']);
  });

  test('is completed when the sample of a simulated order is taken, even before the slot', async () => {
    const order = await lab.ready(method);
    await book(order, MONDAY);
    await lab.ask('POST', `/v3/order/${order}/test`);
    await lab.pass(0);
    expect(await lab.statusOf(order)).toBe('completed');
    expect(await lab.last(order, kind)).toMatchObject({ status: 'completed', end_at: '2026-01-01T12:06:00.000+00:00' });
    await lab.pass(20 * 24);
    expect(eventsOf(await lab.last(order, kind))).toEqual(['scheduled', 'completed']);
  });

  test('waits while its user is deleted', async () => {
    const order = await lab.ready(method);
    await book(order);
    lab.service.users.delete(lab.team, lab.user_id);
    await lab.pass(48);
    lab.service.users.undoDeletion(lab.team, { user_id: lab.user_id });
    expect(await lab.last(order, kind)).toMatchObject({ status: 'confirmed' });
    await lab.pass(1);
    expect(await lab.last(order, kind)).toMatchObject({ status: 'completed' });
  });

  test('is removed with its user', async () => {
    const order = await lab.ready(method);
    await book(order);
    lab.service.users.delete(lab.team, lab.user_id);
    await lab.pass(20 * 24);
    expect(lab.service.labs.appointments.store.last(order)).toBe(undefined);
  });
});

test('a booking at a patient service center is made once for an idempotency key', async () => {
  const order = await lab.ready('walk_in_test');
  const book = (start: string) =>
    lab.ask('POST', at(order, 'psc', '/book'), { booking_key: SITE + start }, { 'x-idempotency-key': 'k-1' });
  const first = await book(FRIDAY);
  const before = lab.told().length;
  expect(await book(FRIDAY)).toEqual(first);
  expect(lab.told()).toHaveLength(before);
  expect((await book(MONDAY)).status).toBe(409);
});

test('an appointment moves to another patient service center', async () => {
  const order = await lab.ready('walk_in_test');
  await lab.ask('POST', at(order, 'psc', '/book'), { booking_key: SITE + FRIDAY });
  const booking_key = `patient_service_center|NY1|${MONDAY}`;
  const { body } = await lab.ask('PATCH', at(order, 'psc', '/reschedule'), { booking_key, appointment_notes: null });
  expect(body).toMatchObject({
    address: { first_line: '90 Example Street', city: 'New York' },
    iana_timezone: 'America/New_York',
    location: { lng: -73.97, lat: 40.75 },
    start_at: MONDAY,
    appointment_notes: null,
  });
});

test('a requested appointment is pending until the provider confirms it', async () => {
  const order = await lab.ready('at_home_phlebotomy');
  const address = { first_line: '7 Other Street', city: 'New York', state: 'NY', zip_code: '10017', access_notes: 'second door' };
  const before = lab.told().length;
  const { body } = await lab.ask('POST', at(order, 'phlebotomy', '/request'), { address, provider: 'phlebfinders' });
  expect(body).toMatchObject({
    address,
    provider: 'phlebfinders',
    status: 'pending',
    event_status: 'pending',
    iana_timezone: 'America/New_York',
    start_at: null,
    end_at: null,
    can_reschedule: false,
  });
  expect(told(before)).toEqual(['appointment created: pending', 'order updated: appointment_pending']);
  await lab.pass(2);
  const confirmed = await lab.last(order, 'phlebotomy');
  expect(confirmed).toMatchObject({ id: body.id, status: 'confirmed', address, provider: 'phlebfinders' });
  // A working hour in New York.
  expect(confirmed.start_at).toMatch(/^2026-01-0[25]T(1[3-9]|2[01]):00:00/);
  await lab.pass(5 * 24);
  const completed = await lab.last(order, 'phlebotomy');
  expect(eventsOf(completed)).toEqual(['pending', 'scheduled', 'completed']);
  expect((completed.events as { created_at: string }[])[2]!.created_at).toBe(confirmed.end_at);
});

test('an at-home order makes its appointment by itself, in a slot', async () => {
  const order = await lab.ready('at_home_phlebotomy');
  await lab.pass(36);
  const pending = await lab.last(order, 'phlebotomy');
  await lab.pass(2);
  const confirmed = await lab.last(order, 'phlebotomy');
  expect(confirmed.start_at).toMatch(/^2026-01-05T(1[5-9]|2[0-3]):00:00/);
  await lab.pass(4 * 24);
  const { events, ...completed } = await lab.last(order, 'phlebotomy');
  expect([pending.id, confirmed.id]).toEqual([completed.id, completed.id]);
  expect(eventsOf({ events })).toEqual(['pending', 'scheduled', 'completed']);
  expect((events as { created_at: string }[])[2]!.created_at).toBe(completed.end_at);
  expect(told().filter((one) => /appointment|draw/.test(one))).toEqual([
    'appointment created: pending',
    'order updated: appointment_pending',
    'appointment updated: confirmed',
    'order updated: appointment_scheduled',
    'appointment updated: completed',
    'order updated: draw_completed',
  ]);
  await lab.pass(3 * 24);
  expect(await lab.statusOf(order)).toBe('completed');
});

test('an order whose cancelled appointment nobody replaces gets a new one by itself', async () => {
  const order = await lab.ready('at_home_phlebotomy');
  const { id } = (await lab.ask('POST', at(order, 'phlebotomy', '/book'), { booking_key: HOME + FRIDAY })).body;
  await lab.ask('PATCH', at(order, 'phlebotomy', '/cancel'), { cancellation_reason_id: reason });
  await lab.pass(14 * 24);
  const found = await lab.last(order, 'phlebotomy');
  expect(found).toMatchObject({ status: 'completed' });
  expect(found.id).not.toBe(id);
});

test('a walk-in order needs no appointment', async () => {
  const order = await lab.ready('walk_in_test');
  await lab.pass(8 * 24);
  expect(await lab.statusOf(order)).toBe('completed');
  expect((await lab.ask('GET', at(order, 'psc'))).status).toBe(404);
});
