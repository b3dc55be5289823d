import { type Junction, JunctionError } from '@junction-api/sdk';
import * as schemas from '@junction-api/sdk/serialization';
import { expect } from 'vitest';
import { labTests } from '../../infra/service/labs/catalogue.ts';
import type { SdkCall } from './sdk-call.ts';
import { newUser, type World } from './world.ts';

const MINUTES_MS = 10 * 60_000;
const unknown = crypto.randomUUID();
const NOT_FOUND = { constructor: JunctionError, statusCode: 404 };
const REFUSED = { constructor: JunctionError, statusCode: 400 };
const address = { firstLine: '1 Main Street', city: 'Phoenix', state: 'AZ', zipCode: '85004' };

/** Orders a lab test with the SDK, and waits for its requisition. Returns the id of the order. */
async function newOrder(world: World, method: 'at_home_phlebotomy' | 'walk_in_test'): Promise<string> {
  const { order } = await world.sdk.labTests.createOrder({
    userId: await newUser(world),
    orderSet: { labTestIds: [labTests.find((labTest) => labTest.method === method)!.id] },
    patientDetails: {
      firstName: 'Jo',
      lastName: 'Doe',
      dob: '1980-02-03',
      gender: 'female',
      phoneNumber: '+16025550123',
      email: 'jo@example.com',
    },
    patientAddress: { firstLine: '1 Main Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
  });
  await world.service.jobs.advanceTo(world.service.clock.now() + MINUTES_MS);
  return order.id;
}

/** How the SDK calls the operations that both types of appointments have. */
interface Kind {
  readonly newOrder: (world: World) => Promise<string>;
  readonly slots: (world: World) => Promise<Junction.AppointmentAvailabilitySlots>;
  readonly book: (world: World, orderId: string, bookingKey: string) => Promise<Junction.ClientFacingAppointment>;
  readonly reschedule: (world: World, orderId: string, bookingKey: string) => Promise<Junction.ClientFacingAppointment>;
  readonly cancel: (world: World, orderId: string, cancellationReasonId: string) => Promise<Junction.ClientFacingAppointment>;
  readonly reasons: (world: World) => Promise<Junction.ClientFacingAppointmentCancellationReason[]>;
  readonly get: (world: World, orderId: string) => Promise<Junction.ClientFacingAppointment>;
}

const atHome: Kind = {
  newOrder: (world) => newOrder(world, 'at_home_phlebotomy'),
  slots: ({ sdk }) => sdk.labTests.getPhlebotomyAppointmentAvailability({ startDate: '2026-02-02', body: address }),
  book: ({ sdk }, orderId, bookingKey) => sdk.labTests.bookPhlebotomyAppointment({ orderId, body: { bookingKey } }),
  reschedule: ({ sdk }, orderId, bookingKey) => sdk.labTests.reschedulePhlebotomyAppointment({ orderId, body: { bookingKey } }),
  cancel: ({ sdk }, orderId, cancellationReasonId) =>
    sdk.labTests.cancelPhlebotomyAppointment({ orderId, cancellationReasonId, notes: 'later' }),
  reasons: ({ sdk }) => sdk.labTests.getPhlebotomyAppointmentCancellationReason(),
  get: ({ sdk }, orderId) => sdk.labTests.getPhlebotomyAppointment({ orderId }),
};

const atCenter: Kind = {
  newOrder: (world) => newOrder(world, 'walk_in_test'),
  slots: ({ sdk }) => sdk.labTests.getPscAppointmentAvailability({ lab: 'quest', startDate: '2026-02-02', zipCode: '85004' }),
  book: ({ sdk }, orderId, bookingKey) =>
    sdk.labTests.bookPscAppointment({ orderId, idempotencyKey: bookingKey, body: { bookingKey } }),
  reschedule: ({ sdk }, orderId, bookingKey) => sdk.labTests.reschedulePscAppointment({ orderId, body: { bookingKey } }),
  cancel: ({ sdk }, orderId, cancellationReasonId) =>
    sdk.labTests.cancelPscAppointment({ orderId, cancellationReasonId, note: 'later' }),
  reasons: ({ sdk }) => sdk.labTests.getPscAppointmentCancellationReason(),
  get: ({ sdk }, orderId) => sdk.labTests.getPscAppointment({ orderId }),
};

/** Returns the keys of the first day that is offered. */
async function keysOf(kind: Kind, world: World): Promise<string[]> {
  const { slots } = await kind.slots(world);
  return slots[0]!.slots.map(({ bookingKey }) => bookingKey!);
}

function callsOf(name: 'phlebotomy' | 'psc', kind: Kind): Readonly<Record<string, SdkCall>> {
  const answer = schemas.ClientFacingAppointment;
  return {
    [`book_${name}_appointment`]: {
      answer,
      async call(world) {
        const orderId = await kind.newOrder(world);
        const [key] = await keysOf(kind, world);
        expect(await kind.book(world, orderId, key!)).toMatchObject({
          orderId,
          status: 'confirmed',
          startAt: new Date('2026-02-02T15:00:00Z'),
          endAt: new Date('2026-02-02T16:00:00Z'),
        });
        await expect(kind.book(world, orderId, 'x')).rejects.toMatchObject(REFUSED);
        await expect(kind.book(world, unknown, 'y')).rejects.toMatchObject(NOT_FOUND);
      },
    },
    [`reschedule_${name}_appointment`]: {
      answer,
      async call(world) {
        const orderId = await kind.newOrder(world);
        const [first, second] = await keysOf(kind, world);
        await expect(kind.reschedule(world, orderId, second!)).rejects.toMatchObject(NOT_FOUND);
        await kind.book(world, orderId, first!);
        const moved = await kind.reschedule(world, orderId, second!);
        expect(moved).toMatchObject({ orderId, status: 'confirmed', startAt: new Date('2026-02-02T16:00:00Z') });
        await expect(kind.reschedule(world, orderId, 'x')).rejects.toMatchObject(REFUSED);
      },
    },
    [`cancel_${name}_appointment`]: {
      answer,
      async call(world) {
        const orderId = await kind.newOrder(world);
        const [reason] = await kind.reasons(world);
        await expect(kind.cancel(world, orderId, reason!.id)).rejects.toMatchObject(NOT_FOUND);
        await kind.book(world, orderId, (await keysOf(kind, world))[0]!);
        await expect(kind.cancel(world, orderId, unknown)).rejects.toMatchObject(REFUSED);
        expect(await kind.cancel(world, orderId, reason!.id)).toMatchObject({
          status: 'cancelled',
          eventData: { cancellation_reason_id: reason!.id, notes: 'later' },
        });
      },
    },
    [`list_${name}_cancellation_reasons`]: {
      answer: { parseOrThrow: (raw, options) => (raw as unknown[]).map((one) => reasonSchema.parseOrThrow(one, options)) },
      async call(world) {
        const reasons = await kind.reasons(world);
        expect(new Set(reasons.map(({ id }) => id)).size).toBe(reasons.length);
        expect(reasons.some(({ isRefundable }) => isRefundable)).toBe(true);
      },
    },
    [`get_${name}_appointment`]: {
      answer,
      async call(world) {
        const orderId = await kind.newOrder(world);
        await expect(kind.get(world, orderId)).rejects.toMatchObject(NOT_FOUND);
        const booked = await kind.book(world, orderId, (await keysOf(kind, world))[0]!);
        expect(await kind.get(world, orderId)).toEqual(booked);
      },
    },
  };
}

const reasonSchema = schemas.ClientFacingAppointmentCancellationReason;

/** How a program manages the appointments of orders with the SDK, by operation. */
export const appointmentCalls: Readonly<Record<string, SdkCall>> = {
  list_phlebotomy_slots: {
    answer: schemas.AppointmentAvailabilitySlots,
    async call(world) {
      const { slots, timezone } = await atHome.slots(world);
      expect([timezone, slots.map(({ date }) => date)]).toEqual([
        'America/Phoenix',
        ['2026-02-02', '2026-02-03', '2026-02-04', '2026-02-05', '2026-02-06'],
      ]);
      expect(slots[0]!.slots[0]).toMatchObject({
        start: new Date('2026-02-02T15:00:00Z'),
        end: new Date('2026-02-02T16:00:00Z'),
      });
    },
  },
  list_psc_slots: {
    answer: schemas.AppointmentAvailabilitySlots,
    async call(world) {
      const { slots } = await atCenter.slots(world);
      expect(slots).toHaveLength(10);
      expect(slots[0]).toMatchObject({ location: { code: 'AZ1', distance: 0, ianaTimezone: 'America/Phoenix' } });
      const { labTests: client } = world.sdk;
      const some = await client.getPscAppointmentAvailability({ lab: 'quest', siteCodes: ['AZ2', 'NY1'], radius: '10' });
      expect(new Set(some.slots.map(({ location }) => location!.code))).toEqual(new Set(['AZ2', 'NY1']));
      await expect(client.getPscAppointmentAvailability({ lab: 'sonora_quest' })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  request_phlebotomy_appointment: {
    answer: schemas.ClientFacingAppointment,
    async call(world) {
      const { labTests: client } = world.sdk;
      const orderId = await atHome.newOrder(world);
      const request = { orderId, address, provider: 'getlabs' } as const;
      expect(await client.requestPhlebotomyAppointment(request)).toMatchObject({ orderId, status: 'pending', address });
      await expect(client.requestPhlebotomyAppointment(request)).rejects.toMatchObject(REFUSED);
      await expect(client.requestPhlebotomyAppointment({ ...request, orderId: unknown })).rejects.toMatchObject(NOT_FOUND);
    },
  },
  ...callsOf('phlebotomy', atHome),
  ...callsOf('psc', atCenter),
};
