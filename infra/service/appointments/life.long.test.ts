import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant } from '../api/times.ts';
import { cancellationReasons } from './appointment-operations.ts';
import { startLabService } from './lab-service.fixture.ts';
import { slotsFrom } from './slots.ts';

interface Seen {
  readonly id: string;
  readonly status: string;
  readonly event_status: string;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly events: readonly { readonly created_at: string; readonly status: string }[];
}

interface Real {
  readonly lab: ReturnType<typeof startLabService>;
  readonly order: string;
  readonly kind: 'phlebotomy' | 'psc';
  /** The last status of each appointment that an event told. */
  readonly told: Map<string, string>;
}

/** The model remembers nothing: what a call should do follows from the status of the order and its last appointment. */
type Command = fc.AsyncCommand<object, Real>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const address = { first_line: '1 Main Street', city: 'Phoenix', state: 'AZ', zip_code: '85004' };
const eventOf: Readonly<Record<string, string>> = {
  pending: 'pending',
  confirmed: 'scheduled',
  completed: 'completed',
  cancelled: 'cancelled',
};
/** The statuses of an appointment that fit the status of its order. With all others, the appointment has ended. */
const fitting: Readonly<Record<string, readonly string[]>> = {
  appointment_pending: ['pending'],
  appointment_scheduled: ['confirmed', 'completed'],
  draw_completed: ['completed'],
};
const active = ['pending', 'confirmed'];

const pathOf = ({ order, kind }: Real, rest = ''): string => `/v3/order/${order}/${kind}/appointment${rest}`;

async function last(real: Real): Promise<Seen | undefined> {
  const { status, body } = await real.lab.ask('GET', pathOf(real));
  return status === 404 ? undefined : (body as unknown as Seen);
}

async function check(real: Real): Promise<void> {
  const { lab, order, told } = real;
  for (const { event_type, data } of lab.told())
    if (event_type.startsWith('labtest.appointment.')) told.set(data.id, data.status);
  expect([...told.values()].filter((status) => active.includes(status)).length).toBeLessThanOrEqual(1);
  const [appointment, status] = [await last(real), await lab.statusOf(order)];
  if (appointment === undefined) {
    expect(Object.keys(fitting)).not.toContain(status);
    return;
  }
  expect(told.get(appointment.id)).toBe(appointment.status);
  expect(fitting[status] ?? ['completed', 'cancelled'], `the order is ${status}`).toContain(appointment.status);
  const times = appointment.events.map(({ created_at }) => created_at);
  expect(times).toEqual([...times].sort());
  expect(appointment.event_status).toBe(appointment.events.at(-1)!.status);
  expect(appointment.event_status).toBe(eventOf[appointment.status]);
  if (appointment.status === 'completed') expect(appointment.end_at! <= times.at(-1)!).toBe(true);
  if (appointment.status === 'pending') expect([appointment.start_at, appointment.end_at]).toEqual([null, null]);
}

/** Declares something that a team does, and whether the order should allow it. */
function call(
  name: string,
  {
    make,
    isAllowed,
  }: {
    readonly make: (real: Real) => Promise<{ readonly status: number }>;
    readonly isAllowed: (status: string, before: Seen | undefined, real: Real) => boolean;
  },
): Command {
  return {
    toString: () => name,
    check: () => true,
    async run(_, real) {
      const [status, before] = [await real.lab.statusOf(real.order), await last(real)];
      const expected = isAllowed(status, before, real) ? 200 : expect.toBeOneOf([400, 404]);
      expect((await make(real)).status, `${name}: the order is ${status}`).toEqual(expected);
      await check(real);
    },
  };
}

const canBook = (status: string): boolean =>
  ['requisition_created', 'requisition_bypassed', 'appointment_cancelled', 'redraw_available'].includes(status);

/** Returns a slot after some days, as a booking key. */
function keyOf({ kind, lab }: Real, days: number, number: number): string {
  const from = instant(lab.service.clock.now() + days * DAY_MS).slice(0, 10);
  const slots = slotsFrom('America/Phoenix', lab.service.clock.now(), from).flatMap((day) => day.slots);
  const place = kind === 'psc' ? 'patient_service_center|AZ1' : 'phlebotomy|America/Phoenix';
  return `${place}|${instant(slots[number % slots.length]!.start)}`;
}

const anySlot = fc.tuple(fc.nat(3), fc.nat(50));

const book = anySlot.map(([days, number]) =>
  call(`book ${days} ${number}`, {
    make: (real) => real.lab.ask('POST', pathOf(real, '/book'), { booking_key: keyOf(real, days, number) }),
    isAllowed: canBook,
  }),
);
const request = fc.constant(
  call('request', {
    make: ({ lab, order }) =>
      lab.ask('POST', `/v3/order/${order}/phlebotomy/appointment/request`, { address, provider: 'getlabs' }),
    isAllowed: (status, _, { kind }) => kind === 'phlebotomy' && canBook(status),
  }),
);
const reschedule = anySlot.map(([days, number]) =>
  call(`reschedule ${days} ${number}`, {
    make: (real) => real.lab.ask('PATCH', pathOf(real, '/reschedule'), { booking_key: keyOf(real, days, number) }),
    isAllowed: (_, before, { lab }) =>
      before?.status === 'confirmed' && Date.parse(before.start_at!) > lab.service.clock.now() + DAY_MS,
  }),
);
const cancel = fc.constant(
  call('cancel', {
    make: (real) => real.lab.ask('PATCH', pathOf(real, '/cancel'), { cancellation_reason_id: cancellationReasons[1].id }),
    isAllowed: (_, before, { lab }) =>
      before?.status === 'pending' || (before?.status === 'confirmed' && Date.parse(before.start_at!) > lab.service.clock.now()),
  }),
);
const cancelOrder = fc.constant(
  call('cancel the order', {
    make: ({ lab, order }) => lab.ask('POST', `/v3/order/${order}/cancel`),
    isAllowed: (status) => /^(ordered|requisition|appointment|redraw)/.test(status),
  }),
);

function passing(name: string, pass: (real: Real) => Promise<unknown>): Command {
  return {
    toString: () => name,
    check: () => true,
    async run(_, real) {
      await pass(real);
      await check(real);
    },
  };
}

const advance = fc.integer({ min: 1, max: 48 }).map((hours) => passing(`advance ${hours}`, ({ lab }) => lab.pass(hours)));
const simulate = fc.constantFrom(0, 3600).map((delay) =>
  passing(`simulate ${delay}`, async ({ lab, order }) => {
    await lab.ask('POST', `/v3/order/${order}/test?delay=${delay}`);
    await lab.pass(0);
  }),
);

test('an order has at most one active appointment, which agrees with it', async () => {
  const commands = fc.commands([book, book, request, reschedule, cancel, advance, advance, simulate, cancelOrder], {
    size: 'medium',
    maxCommands: 14,
  });
  const anyKind = fc.constantFrom('phlebotomy', 'psc');
  await fc.assert(
    fc.asyncProperty(anyKind, commands, async (kind, some) => {
      const lab = startLabService();
      const order = await lab.order(kind === 'psc' ? 'walk_in_test' : 'at_home_phlebotomy');
      await lab.pass(0.1);
      const real: Real = { lab, order, kind, told: new Map() };
      try {
        await fc.asyncModelRun(() => ({ model: {}, real }), some);
        // The order always ends, and no appointment stays open.
        for (let days = 0; days < 40; days += 2) await passing('', () => lab.pass(48)).run({}, real);
        expect(await lab.statusOf(order)).toBeOneOf(['completed', 'cancelled']);
      } finally {
        await lab.close();
      }
    }),
    { numRuns: 60 },
  );
});
