import { z } from 'zod';
import { detailSchema, problem } from '../api/errors.ts';
import type { Answer, AnswerForm } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { dateSchema, instant, instantSchema } from '../api/times.ts';
import type { LabTest } from '../labs/catalogue.ts';
import { labTestForm, labTestSchema } from '../labs/catalogue-forms.ts';
import { interpretations } from '../labs/result.ts';
import { addedBy } from '../versions/versions.ts';
import { lowLevels, statusDetails, statuses, statusOf, topLevelOf, topLevels } from './life-cycle.ts';
import { type OrderRequest, patientAddressSchema, patientSchema, shippingSchema } from './order-request.ts';
import type { OrderRow } from './orders.ts';

/** Orders in the form of the API and of events. */

const text = z.string().nullable();
const statusSchema = z.enum(statuses);

const orderEventSchema = z
  .object({ id: z.int(), created_at: instantSchema, status: statusSchema, status_detail: z.enum(statusDetails).nullable() })
  .meta({ id: 'OrderEvent' });

const patientFormSchema = patientSchema
  .omit({ household_income: true, household_size: true })
  .extend({ dob: instantSchema })
  .meta({ id: 'Patient' });
const addressFormSchema = patientAddressSchema.extend({ receiver_name: z.string() }).meta({ id: 'PatientAddress' });

const shipmentSchema = z.object({
  id: z.uuid(),
  outbound_tracking_number: text,
  outbound_tracking_url: text,
  inbound_tracking_number: text,
  inbound_tracking_url: text,
  outbound_courier: text,
  inbound_courier: text,
  notes: text,
});

const detailTimes = { id: z.uuid(), created_at: instantSchema, updated_at: instantSchema };
const withAppointment = z.object({ ...detailTimes, appointment_id: z.uuid().nullable() });
const detailsSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('walk_in_test'), data: withAppointment }),
    z.object({ type: z.literal('at_home_phlebotomy'), data: withAppointment }),
    z.object({ type: z.literal('testkit'), data: z.object({ ...detailTimes, shipment: shipmentSchema.nullable() }) }),
    z.object({ type: z.literal('on_site_collection'), data: z.object(detailTimes) }),
  ])
  .meta({ id: 'OrderDetails' });

const inTransactionSchema = z.object({
  id: z.uuid(),
  low_level_status: z.enum(lowLevels),
  low_level_status_created_at: instantSchema,
  origin: z.enum(['initial', 'redraw', 'recreation']),
  parent_id: z.uuid().nullable(),
  created_at: instantSchema,
  updated_at: instantSchema,
});

export const transactionSchema = z
  .object({ id: z.uuid(), status: z.enum(['active', 'completed', 'cancelled']), orders: z.array(inTransactionSchema) })
  .meta({ id: 'OrderTransaction' });

export const orderSchema = z
  .object({
    id: z.uuid(),
    team_id: z.uuid(),
    user_id: z.uuid(),
    patient_details: patientFormSchema.nullable(),
    patient_address: addressFormSchema.nullable(),
    lab_test: labTestSchema,
    details: detailsSchema,
    sample_id: text,
    notes: text,
    clinical_notes: text,
    created_at: instantSchema,
    updated_at: instantSchema,
    events: z.array(orderEventSchema),
    status: z.enum(topLevels).meta({ deprecated: true }),
    last_event: orderEventSchema,
    physician: z.object({ first_name: z.string(), last_name: z.string(), npi: z.string() }).nullable(),
    health_insurance_id: z.uuid().nullable(),
    requisition_form_url: text.meta({
      deprecated: true,
      description: 'Signed address of the requisition form, for 7 days. Use `GET /v3/order/{order_id}/requisition/pdf`.',
    }),
    priority: z.boolean(),
    shipping_details: shippingSchema.extend({}).meta({ id: 'ShippingAddress' }).nullable(),
    activate_by: dateSchema.nullable(),
    passthrough: text,
    billing_type: z.string(),
    icd_codes: z.array(z.string()).nullable(),
    has_abn: z.boolean().describe('Always false, because the service has no such document.'),
    interpretation: z
      .enum(interpretations)
      .nullable()
      .describe('The assessment of the results. Null: there are none yet.')
      .meta(addedBy('interpretation of orders')),
    has_missing_results: z.boolean().nullable(),
    expected_result_by_date: dateSchema.nullable(),
    worst_case_result_by_date: dateSchema.nullable(),
    origin: z.enum(['initial', 'redraw', 'recreation']),
    order_transaction: transactionSchema,
  })
  .meta({ id: 'Order' });

export type OrderForm = z.output<typeof orderSchema>;

/** The answer of operations that create or change an order. */
export const changed: AnswerForm = {
  description: 'The order.',
  schema: z.object({ order: orderSchema, status: z.string(), message: z.string() }),
};

/** A row of the table `order_events`. */
export interface OrderEventRow {
  readonly event_id: number;
  readonly created_at: number;
  readonly status: string;
  readonly status_detail: string | null;
}

/** The parts of an order's form that are not in its row. */
export interface OrderParts {
  readonly events: readonly OrderEventRow[];
  readonly labTest: LabTest;
  readonly requisitionUrl: string | null;
  readonly appointment: string | null;
  /** Whether a result of the order is missing. Null: there are no results. */
  readonly hasMissing: boolean | null;
}

/** Returns an order in the form of the API. */
export function orderForm(order: OrderRow, parts: OrderParts): z.input<typeof orderSchema> {
  const { order_id, team_id, user_id, sample_id, method, activate_by, status } = order;
  const request = JSON.parse(order.request) as OrderRequest;
  const { patient_details, patient_address, physician, clinical_notes = null, icd_codes = null, passthrough = null } = request;
  const events = parts.events.map(({ event_id: id, created_at, status: low, status_detail }) => ({
    id,
    created_at: instant(created_at),
    status: statusOf(method, low) as (typeof statuses)[number],
    status_detail: status_detail as (typeof statusDetails)[number] | null,
  }));
  return {
    id: order_id,
    team_id,
    user_id,
    sample_id,
    activate_by,
    patient_details: patient_details === undefined ? null : { ...patient_details, dob: instant(Date.parse(patient_details.dob)) },
    patient_address: patient_address ?? null,
    lab_test: labTestForm(parts.labTest),
    details: detailsForm(order, parts, request),
    notes: null,
    clinical_notes,
    icd_codes,
    passthrough,
    created_at: instant(order.created_at),
    updated_at: instant(order.updated_at),
    events,
    status: topLevelOf(method, status)!,
    last_event: events.at(-1)!,
    physician: physician ?? null,
    health_insurance_id: null,
    requisition_form_url: parts.requisitionUrl,
    priority: request.priority,
    shipping_details: shippingOf(request),
    billing_type: request.billing_type,
    has_abn: false,
    interpretation: order.interpretation as (typeof interpretations)[number] | null,
    has_missing_results: parts.hasMissing,
    ...expectedDates(parts),
    origin: 'initial',
    order_transaction: transactionForm(order, parts.events),
  };
}

/** Returns the transaction of an order. It has no other orders, because the service never takes a second sample. */
export function transactionForm(order: OrderRow, events: readonly OrderEventRow[]): z.input<typeof transactionSchema> {
  const { order_id: id, status, method } = order;
  const top = topLevelOf(method, status)!;
  const times = { created_at: instant(order.created_at), updated_at: instant(order.updated_at) };
  return {
    id: order.transaction_id,
    status: top === 'completed' ? 'completed' : top === 'cancelled' || top === 'failed' ? 'cancelled' : 'active',
    orders: [
      {
        id,
        low_level_status: status as (typeof lowLevels)[number],
        origin: 'initial',
        parent_id: null,
        low_level_status_created_at: instant(events.at(-1)!.created_at),
        ...times,
      },
    ],
  };
}

type Details = z.input<typeof detailsSchema>;

function detailsForm(order: OrderRow, { events, appointment }: OrderParts, request: OrderRequest): Details {
  const data = { id: order.details_id, created_at: instant(order.created_at), updated_at: instant(order.updated_at) };
  const { method } = order;
  if (method === 'on_site_collection') return { type: method, data };
  if (method !== 'testkit') return { type: method, data: { ...data, appointment_id: appointment } };
  const isSent = (status: string) => events.some((event) => event.status === status);
  const shipment = {
    id: order.details_id,
    ...tracking('outbound', isSent('transit_customer') ? `1${order.sample_id}` : null),
    ...tracking('inbound', isSent('transit_lab') ? `2${order.sample_id}` : null),
    notes: null,
  } as z.input<typeof shipmentSchema>;
  return { type: method, data: { ...data, shipment: shippingOf(request) === null ? null : shipment } };
}

const tracking = (way: string, number: string | null): object => ({
  [`${way}_tracking_number`]: number,
  [`${way}_tracking_url`]: number === null ? null : `https://parcels.example.com/${number}`,
  [`${way}_courier`]: number === null ? null : 'example',
});

/** A kit is sent to its own address, or else to the patient. */
function shippingOf({ shipping, patient_details, patient_address }: OrderRequest): z.input<typeof shippingSchema> | null {
  if (shipping !== undefined) return shipping;
  if (patient_details === undefined || patient_address === undefined) return null;
  const { receiver_name, first_line, second_line, city, state, zip, country, phone_number } = patient_address;
  return {
    receiver_name: receiver_name === '' ? `${patient_details.first_name} ${patient_details.last_name}` : receiver_name,
    first_line,
    second_line,
    city,
    state,
    zip,
    country,
    phone_number: phone_number ?? patient_details.phone_number,
  };
}

const DAY_MS = 86_400_000;
/** The statuses at which the laboratory begins to work. */
const drawn = ['draw_completed', 'delivered_to_lab', 'partial_results', 'completed'];

/** Returns by when results are expected, once the laboratory has the sample. */
function expectedDates({
  events,
  labTest,
}: OrderParts): Pick<OrderForm, 'expected_result_by_date' | 'worst_case_result_by_date'> {
  const begin = events.find(({ status }) => drawn.includes(status))?.created_at;
  const after = (days: number | null) =>
    begin === undefined || days === null ? null : instant(begin + days * DAY_MS).slice(0, 'YYYY-MM-DD'.length);
  return {
    expected_result_by_date: after(labTest.common_tat_days),
    worst_case_result_by_date: after(labTest.worst_case_tat_days),
  };
}

/* Answers and parameters that the operations on orders, their results and their appointments share. */

export const orderIdParams = z.object({ order_id: uuidSchema });
export const NO_ORDER: Answer = { status: 404, body: { detail: 'Order not found' } };
export const noOrder: AnswerForm = { description: 'The team has no such order.', schema: detailSchema, example: NO_ORDER.body };

/** An answer about something that the state of the order does not allow, or that a laboratory does not offer. */
export const refused: AnswerForm = problem('The order does not allow this.');
export const refuse = (detail: string): Answer => ({ status: 400, body: { detail } });

export const NO_TRANSACTION: Answer = { status: 404, body: { detail: 'Order transaction not found' } };
export const noTransaction: AnswerForm = {
  description: 'The team has no such transaction.',
  schema: detailSchema,
  example: NO_TRANSACTION.body,
};
