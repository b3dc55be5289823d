import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openManaged } from '../management/management.fixture.ts';
import type { User } from '../users/users.ts';
import { patient, testOf } from './orders.fixture.ts';

const DAY = 86_400_000;
const YOUNG = 'The patient is younger than 18. The team has not enabled minor_ordering_enabled';

let managed: ReturnType<typeof openManaged>;
let user: string;
beforeEach(() => {
  // The virtual time is 2026-01-10T12:00.
  managed = openManaged();
  user = (managed.service.users.create(managed.team, 'c-1', {}) as User).user_id;
});
afterEach(() => managed[Symbol.asyncDispose]());

const bornOn = (dob: string) => ({ ...patient, patient_details: { ...patient.patient_details, dob } });
const order = (dob: string) =>
  managed.ask('POST', '/v3/order', {
    body: { user_id: user, order_set: { lab_test_ids: [testOf('walk_in_test')] }, ...bornOn(dob) },
  });
const enable = (minor_ordering_enabled: boolean) =>
  managed.manage('PATCH', `/team/${managed.team}`, { body: { sandbox: { minor_ordering_enabled } } });

test('an order for a minor is refused until the team enables such orders', async () => {
  expect(await order('2008-01-11')).toMatchObject({ status: 400, body: { detail: YOUNG } });
  expect((await order('2008-01-10')).status).toBe(200);
  await enable(true);
  expect((await order('2025-01-11')).status).toBe(200);
  await enable(false);
  expect((await order('2008-01-11')).status).toBe(400);
  await managed.service.jobs.advanceTo(managed.service.clock.now() + DAY);
  expect((await order('2008-01-11')).status).toBe(200);
});

test('an order is refused exactly if the eighteenth birthday is in the future', async () => {
  const dates = fc
    .date({ min: new Date('2006-01-01'), max: new Date('2010-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  await fc.assert(
    fc.asyncProperty(dates, async (dob) => {
      const birthday = `${Number(dob.slice(0, 4)) + 18}${dob.slice(4)}`;
      expect((await order(dob)).status).toBe(birthday > '2026-01-10' ? 400 : 200);
    }),
    { numRuns: 50 },
  );
});

test('a kit is not registered for a minor until the team enables such orders', async () => {
  const shipping_details = { receiver_name: 'Jo', ...patient.patient_address, phone_number: '1' };
  const made = await managed.ask('POST', '/v3/order/testkit', {
    body: { user_id: user, lab_test_id: testOf('testkit'), shipping_details },
  });
  const { sample_id } = made.body.order;
  const register = () => managed.ask('POST', '/v3/order/testkit/register', { body: { sample_id, ...bornOn('2020-05-05') } });
  expect(await register()).toMatchObject({ status: 400, body: { detail: YOUNG } });
  await enable(true);
  expect((await register()).status).toBe(200);
});
