import { z } from 'zod';
import { problem } from '../api/errors.ts';
import { type Answer, type AnswerForm, type Operation, operation } from '../api/operation.ts';
import { flagSchema, uuidSchema } from '../api/parameters.ts';
import { dateSchema, instant, instantSchema } from '../api/times.ts';
import { IdempotentAnswers, idempotencyHeaders } from '../orders/idempotency.ts';
import { NO_ORDER, noOrder, orderIdParams, refuse, refused } from '../orders/order-forms.ts';
import type { OrderRow, Orders } from '../orders/orders.ts';
import type { State } from '../state.ts';
import type { Team } from '../teams/teams.ts';
import {
  type AppointmentRow,
  addressOf,
  addressSchema,
  appointmentSchema,
  canReschedule,
  coordinatesSchema,
  type NewAddress,
  newAddressSchema,
  notesSchema,
  providers,
  zoneSchema,
} from './appointment-forms.ts';
import { type Appointments, typeOf } from './appointments.ts';
import { type FoundSite, sitesOf, zoneOf } from './sites.ts';
import { type AppointmentType, bookingKeyOf, bookingOf, type Day, slotsFrom } from './slots.ts';

const NO_APPOINTMENT: Answer = { status: 404, body: { detail: 'Appointment not found' } };
const noAppointment: AnswerForm = { ...noOrder, description: 'The team has no such order, or the order has no appointment.' };
const appointmentAnswer: AnswerForm = { description: 'The appointment.', schema: appointmentSchema };
/** The slots that can be booked, in the form of the API. */

const siteSchema = z
  .object({
    location: coordinatesSchema,
    distance: z.int().nullable().describe('In miles. Null: the request names no postal code.'),
    address: addressSchema,
    code: z.string(),
    name: z.string(),
    iana_timezone: zoneSchema,
  })
  .meta({ id: 'AppointmentSite' });

const slotSchema = z
  .object({
    booking_key: z.string(),
    start: instantSchema,
    end: instantSchema,
    expires_at: instantSchema.describe('The key can be used until then: the beginning of the slot.'),
    price: z.number(),
    is_priority: z.boolean(),
    num_appointments_available: z.int(),
  })
  .meta({ id: 'AppointmentSlot' });

const availabilitySchema = z
  .object({
    slots: z.array(
      z.object({
        location: siteSchema.nullable().describe("Null: the patient's home."),
        date: dateSchema.describe('Local date.'),
        slots: z.array(slotSchema),
      }),
    ),
    timezone: zoneSchema.describe('Null: the sites have different time zones.'),
  })
  .meta({ id: 'AppointmentAvailability' });

type Availability = z.input<typeof availabilitySchema>;

/** Slots are not counted: a place takes any number of patients. */
const OFFERED = { price: 0, is_priority: false, num_appointments_available: 1 };

/** Returns when a phlebotomist can come to an address. */
function availabilityOfHome(address: NewAddress, now: number, startDate: string | null | undefined): Availability {
  const zone = zoneOf(address);
  const days = slotsFrom(zone, now, startDate);
  return { slots: days.map((day) => dayForm(day, 'phlebotomy', zone, null)), timezone: zone };
}

/** Returns when patients can come to sites. */
function availabilityOfSites(found: readonly FoundSite[], now: number, startDate: string | null | undefined): Availability {
  const zones = new Set(found.map(({ site }) => site.zone));
  const slots = found.flatMap(({ site: { code, name, address, location, zone }, distance }) => {
    const form = { location, distance, address: addressOf(address), code, name, iana_timezone: zone };
    return slotsFrom(zone, now, startDate).map((day) => dayForm(day, 'patient_service_center', code, form));
  });
  return { slots, timezone: zones.size === 1 ? [...zones][0]! : null };
}

function dayForm(
  { date, slots }: Day,
  type: AppointmentType,
  place: string,
  location: z.input<typeof siteSchema> | null,
): Availability['slots'][number] {
  const offered = slots.map((slot) => ({
    booking_key: bookingKeyOf(type, place, slot),
    start: instant(slot.start),
    end: instant(slot.end),
    expires_at: instant(slot.start),
    ...OFFERED,
  }));
  return { location, date, slots: offered };
}

const availableAnswer: AnswerForm = { description: 'The slots of seven days.', schema: availabilitySchema };

/** The statuses of orders that can get an appointment. */
const bookable = ['requisition_created', 'requisition_bypassed', 'appointment_cancelled', 'redraw_available'];

const keySchema = z.string().meta({ examples: ['phlebotomy|America/Phoenix|2026-01-05T15:00:00.000+00:00'] });
const CONFIRMED = 'Has no effect: the provider confirms at once.';
const bookingSchema = z
  .object({
    booking_key: keySchema,
    appointment_notes: notesSchema,
    async_confirmation: z.boolean().default(false).describe(CONFIRMED),
    sync_confirmation_timeout_millisecond: z.int().min(1_000).max(10_000).nullish().describe(CONFIRMED),
    async_confirmation_timeout_millisecond: z.int().min(60_000).max(172_800_000).nullish().describe(CONFIRMED),
  })
  .meta({ id: 'AppointmentBooking' });
const reschedulingSchema = z
  .object({ booking_key: keySchema, appointment_notes: notesSchema })
  .meta({ id: 'AppointmentRescheduling' });

/** The real service has two spellings. Both are accepted for both types. */
const snakeCase = z.object({ cancellation_reason_id: uuidSchema, notes: z.string().nullish() });
const camelCase = z
  .object({ cancellationReasonId: uuidSchema, note: z.string().nullish() })
  .transform(({ cancellationReasonId: cancellation_reason_id, note: notes }) => ({ cancellation_reason_id, notes }));
const NO_REASON = 'cancellation_reason_id (or cancellationReasonId) must be a UUID, and the note a text';

const dateQuery = dateSchema.nullish().describe('First local date. Default: tomorrow, which is also the earliest.');

interface Kind {
  readonly type: AppointmentType;
  /** Part of paths and of ids. */
  readonly name: 'phlebotomy' | 'psc';
  readonly what: string;
}

interface Parts {
  readonly orders: Orders;
  readonly appointments: Appointments;
}

/** The operations on the appointments of orders. */
export function appointmentOperations(state: State, parts: Parts): Operation[] {
  return [
    availabilityOfHomes(state),
    availabilityOfCenters(state),
    ...operationsOn({ type: 'phlebotomy', name: 'phlebotomy', what: "at the patient's home" }, state, parts),
    requestOperation(parts),
    ...operationsOn({ type: 'patient_service_center', name: 'psc', what: 'at a patient service center' }, state, parts),
  ];
}

const tag = 'appointment';

function availabilityOfHomes({ clock }: State): Operation {
  return operation({
    id: 'list_phlebotomy_slots',
    method: 'POST',
    path: '/v3/order/phlebotomy/appointment/availability',
    tag,
    summary: 'Lists when a phlebotomist can come to an address.',
    query: z.object({ start_date: dateQuery }),
    body: newAddressSchema,
    answers: { 200: availableAnswer },
    handle: ({ query: { start_date }, body }) => ({
      status: 200,
      body: availabilityOfHome(body, clock.now(), start_date),
    }),
  });
}

function availabilityOfCenters({ clock }: State): Operation {
  return operation({
    id: 'list_psc_slots',
    method: 'POST',
    path: '/v3/order/psc/appointment/availability',
    tag,
    summary: 'Lists when patients can come to patient service centers.',
    query: z.object({
      lab: z.enum(['quest', 'sonora_quest']),
      start_date: dateQuery,
      site_codes: z.array(z.string()).nullish().describe('Default: all sites.'),
      zip_code: z
        .string()
        .regex(/^\d{5}$/, 'not a postal code such as 85004')
        .nullish()
        .meta({ examples: ['85004'] }),
      radius: z.enum(['10', '20', '25', '50', '100']).nullish().describe('In miles. Default: 25.'),
      allow_stale: flagSchema.default(false).describe('Has no effect: the answer is always up to date.'),
    }),
    answers: { 200: availableAnswer, 404: problem('There is no such site.') },
    handle: ({ query: { lab, start_date, radius, ...search } }) => {
      const found = lab === 'quest' ? sitesOf({ ...search, radius: Number(radius ?? '25') }) : [];
      if (found.length === 0) return { status: 404, body: { detail: `The laboratory ${lab} has no such site` } };
      return { status: 200, body: availabilityOfSites(found, clock.now(), start_date) };
    },
  });
}

/** Returns an order that can get an appointment, or why it cannot. */
function bookableOrder({ orders, appointments }: Parts, { team_id }: Team, id: string, type: AppointmentType): OrderRow | Answer {
  const order = orders.find(team_id, id);
  if (order === undefined) return NO_ORDER;
  if (typeOf(order.method) !== type) return refuse(`An order of the method ${order.method} has no appointment of this type`);
  if (appointments.store.active(id) !== undefined) return refuse('The order has an appointment: reschedule or cancel that');
  return bookable.includes(order.status) ? order : refuse(`The order gets no appointment: its status is ${order.status}`);
}

const isOrder = (found: OrderRow | Answer): found is OrderRow => 'order_id' in found;

function requestOperation(parts: Parts): Operation {
  return operation({
    id: 'request_phlebotomy_appointment',
    method: 'POST',
    path: '/v3/order/{order_id}/phlebotomy/appointment/request',
    tag,
    summary: "Asks a provider for an appointment at the patient's home.",
    params: orderIdParams,
    body: z
      .object({ address: newAddressSchema, provider: z.enum(providers), appointment_notes: notesSchema })
      .meta({ id: 'AppointmentRequest' }),
    answers: { 200: appointmentAnswer, 400: refused, 404: noOrder },
    handle: ({ team, params: { order_id }, body: { address, provider, appointment_notes: notes } }) => {
      const order = bookableOrder(parts, team, order_id, 'phlebotomy');
      if (!isOrder(order)) return order;
      if (provider !== 'getlabs' && provider !== 'phlebfinders')
        return refuse(`The provider ${provider} visits no patients: use getlabs or phlebfinders`);
      const { appointments } = parts;
      return { status: 200, body: appointments.store.form(order, appointments.request(order, address, { provider, notes })) };
    },
  });
}

/** Why teams and patients cancel appointments. The ids stay the same, so that programs can contain them. */
export const cancellationReasons = [
  { id: '3f0c2d61-8a4e-4b57-9c1d-5e6f7a8b0001', name: 'The patient has no time', is_refundable: true },
  { id: '3f0c2d61-8a4e-4b57-9c1d-5e6f7a8b0002', name: 'The patient is ill', is_refundable: true },
  { id: '3f0c2d61-8a4e-4b57-9c1d-5e6f7a8b0003', name: 'The patient no longer wants the test', is_refundable: true },
  { id: '3f0c2d61-8a4e-4b57-9c1d-5e6f7a8b0004', name: 'The place cannot be reached', is_refundable: false },
  { id: '3f0c2d61-8a4e-4b57-9c1d-5e6f7a8b0005', name: 'Another reason', is_refundable: false },
] as const;

const isReason = (id: string): boolean => cancellationReasons.some((reason) => reason.id === id);

/** The operations that both types of appointments have. */
function operationsOn({ type, name, what }: Kind, state: State, parts: Parts): Operation[] {
  const { orders, appointments } = parts;
  const { store } = appointments;
  const idempotent = new IdempotentAnswers(state);
  const path = `/v3/order/{order_id}/${name}/appointment`;
  const booked = { id: `book_${name}_appointment`, method: 'POST', path: `${path}/book`, tag } as const;

  const book = (team: Team, order_id: string, { booking_key, appointment_notes }: z.output<typeof bookingSchema>) => {
    const order = bookableOrder(parts, team, order_id, type);
    if (!isOrder(order)) return { answer: order, user: null };
    const booking = bookingOf(booking_key, type, state.clock.now());
    if ('refused' in booking) return { answer: refuse(booking.refused), user: null };
    const body = store.form(order, appointments.book(order, booking, appointment_notes));
    return { answer: { status: 200, body }, user: order.user_id };
  };

  /** Handles a request about the last appointment of an order. */
  const about = (
    { team_id }: Team,
    order_id: string,
    handle: (order: OrderRow, last: AppointmentRow) => AppointmentRow | Answer,
  ): Answer => {
    const order = orders.find(team_id, order_id);
    if (order === undefined) return NO_ORDER;
    const last = store.last(order_id);
    if (last === undefined || last.type !== type) return NO_APPOINTMENT;
    const handled = handle(order, last);
    return 'appointment_id' in handled ? { status: 200, body: store.form(order, handled) } : handled;
  };

  return [
    operation({
      id: `list_${name}_cancellation_reasons`,
      method: 'GET',
      path: `/v3/order/${name}/appointment/cancellation-reasons`,
      tag,
      summary: `Lists why appointments ${what} are cancelled.`,
      answers: {
        200: {
          description: 'The reasons.',
          schema: z.array(z.object({ id: z.uuid(), name: z.string(), is_refundable: z.boolean() })),
        },
      },
      handle: () => ({ status: 200, body: cancellationReasons }),
    }),
    operation({
      id: `get_${name}_appointment`,
      method: 'GET',
      path,
      tag,
      summary: `Returns the last appointment ${what} of an order.`,
      params: orderIdParams,
      answers: { 200: appointmentAnswer, 404: noAppointment },
      handle: ({ team, params: { order_id } }) => about(team, order_id, (_, last) => last),
    }),
    name === 'psc'
      ? operation({
          ...booked,
          summary: `Makes an appointment ${what}.`,
          params: orderIdParams,
          headers: idempotencyHeaders,
          body: bookingSchema,
          answers: {
            200: appointmentAnswer,
            400: refused,
            404: noOrder,
            409: problem('The idempotency key was used for another request.'),
          },
          handle: ({ team, params: { order_id }, headers, body }) =>
            idempotent.answer({ team: team.team_id, operation: booked.id, headers, asked: { order_id, ...body } }, () =>
              book(team, order_id, body),
            ),
        })
      : operation({
          ...booked,
          summary: `Makes an appointment ${what}.`,
          params: orderIdParams,
          body: bookingSchema,
          answers: { 200: appointmentAnswer, 400: refused, 404: noOrder },
          handle: ({ team, params: { order_id }, body }) => book(team, order_id, body).answer,
        }),
    operation({
      id: `reschedule_${name}_appointment`,
      method: 'PATCH',
      path: `${path}/reschedule`,
      tag,
      summary: `Moves an appointment ${what} to another slot, until 24 hours before it begins.`,
      params: orderIdParams,
      body: reschedulingSchema,
      answers: { 200: appointmentAnswer, 400: refused, 404: noAppointment },
      handle: ({ team, params: { order_id }, body: { booking_key, appointment_notes } }) =>
        about(team, order_id, (order, last) => {
          if (last.status !== 'confirmed') return refuse(`The appointment cannot be rescheduled: its status is ${last.status}`);
          if (!canReschedule(last, state.clock.now()))
            return refuse('The appointment cannot be rescheduled: it begins within 24 hours, or has begun');
          const booking = bookingOf(booking_key, type, state.clock.now());
          return 'refused' in booking ? refuse(booking.refused) : appointments.reschedule(order, booking, appointment_notes);
        }),
    }),
    operation({
      id: `cancel_${name}_appointment`,
      method: 'PATCH',
      path: `${path}/cancel`,
      tag,
      summary: `Cancels an appointment ${what} that has not begun.`,
      params: orderIdParams,
      body: z.union(name === 'psc' ? [camelCase, snakeCase] : [snakeCase, camelCase], NO_REASON).meta({
        examples: [{ [name === 'psc' ? 'cancellationReasonId' : 'cancellation_reason_id']: cancellationReasons[0].id }],
      }),
      answers: { 200: appointmentAnswer, 400: refused, 404: noAppointment },
      handle: ({ team, params: { order_id }, body: { cancellation_reason_id, notes = null } }) =>
        about(team, order_id, (order, { status, start_at }) => {
          if (status !== 'pending' && status !== 'confirmed')
            return refuse(`The appointment cannot be cancelled: its status is ${status}`);
          if (start_at !== null && start_at <= state.clock.now())
            return refuse('The appointment cannot be cancelled: it has begun');
          if (!isReason(cancellation_reason_id))
            return refuse('Unknown cancellation reason: use an id of the list of cancellation reasons');
          return appointments.cancel(order, { cancellation_reason_id, notes });
        }),
    }),
  ];
}
