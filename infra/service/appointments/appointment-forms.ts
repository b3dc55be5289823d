import { z } from 'zod';
import { instant, instantSchema } from '../api/times.ts';
import type { OrderRow } from '../orders/orders.ts';
import type { Coordinates } from './sites.ts';
import { type AppointmentType, appointmentTypes } from './slots.ts';

/** Appointments in the form of the API and of events. */

const LONGEST_NOTE = 1000;
/** A rescheduled appointment is told to the patient a day before. */
const RESCHEDULED_UNTIL_MS = 86_400_000;

/** The pattern is that of the real service. */
export const zoneSchema = z
  .string()
  .regex(
    /^(?:(?:[A-Za-z_-]+\/[A-Za-z_-]+(?:\/[A-Za-z_-]+)?)|(?:Etc\/[A-Za-z0-9+-]+(?:\/[A-Za-z0-9]+)?|(?:CET|CST6CDT|EET|EST|EST5EDT|MET|MST|MST7MDT|PST8PDT|HST)))$/,
  )
  .nullable()
  .meta({ examples: ['America/Phoenix'] });

export const notesSchema = z.string().max(LONGEST_NOTE).nullish();

const line = z.string().trim().min(1);
/** An address in a request. */
export const newAddressSchema = z
  .object({
    first_line: line.meta({ examples: ['1 Main Street'] }),
    second_line: z.string().nullish(),
    city: line.meta({ examples: ['Phoenix'] }),
    state: line.meta({ examples: ['AZ'] }),
    zip_code: z
      .string()
      .regex(/^\d{5}(-\d{4})?$/, 'not a postal code such as 85004')
      .meta({ examples: ['85004'] }),
    unit: z.string().nullish().meta({ deprecated: true }),
    access_notes: notesSchema,
  })
  .meta({ id: 'NewUSAddress' });

export type NewAddress = z.output<typeof newAddressSchema>;

const text = z.string().nullable();
export const addressSchema = z
  .object({
    first_line: z.string(),
    second_line: text,
    city: z.string(),
    state: z.string(),
    zip_code: z.string().meta({ examples: ['85004'] }),
    unit: text.meta({ deprecated: true }),
    access_notes: text,
  })
  .meta({ id: 'USAddress' });

export type Address = z.output<typeof addressSchema>;

/** Returns an address with all members. */
export function addressOf({ first_line, second_line, city, state, zip_code, unit, access_notes }: NewAddress): Address {
  return {
    first_line,
    second_line: second_line ?? null,
    city,
    state,
    zip_code,
    unit: unit ?? null,
    access_notes: access_notes ?? null,
  };
}

export const coordinatesSchema = z
  .object({ lng: z.number().min(-180).max(180), lat: z.number().min(-90).max(90) })
  .meta({ id: 'Coordinates' });

export const providers = ['getlabs', 'phlebfinders', 'quest', 'sonora_quest'] as const;
export type Provider = (typeof providers)[number];

const appointmentStatuses = ['confirmed', 'pending', 'completed', 'cancelled'] as const;
export type AppointmentStatus = (typeof appointmentStatuses)[number];
const eventStatuses = ['pending', 'scheduled', 'completed', 'cancelled'] as const;
export type EventStatus = (typeof eventStatuses)[number];

const dataSchema = z
  .looseObject({})
  .nullable()
  .describe('Why an appointment was cancelled.')
  .meta({ examples: [null] });

export const appointmentSchema = z
  .object({
    id: z.uuid(),
    user_id: z.uuid(),
    order_id: z.uuid(),
    order_transaction_id: z.uuid(),
    address: addressSchema,
    location: coordinatesSchema,
    start_at: instantSchema.nullable().describe('Null: the provider has not confirmed the appointment.'),
    end_at: instantSchema.nullable(),
    iana_timezone: zoneSchema,
    type: z.enum(appointmentTypes),
    provider: z.enum(providers),
    status: z.enum(appointmentStatuses),
    provider_id: z.string(),
    external_id: text,
    can_reschedule: z.boolean().describe('False from 24 hours before the beginning on.'),
    appointment_notes: text,
    event_status: z.enum(eventStatuses),
    event_data: dataSchema,
    events: z.array(z.object({ created_at: instantSchema, status: z.enum(eventStatuses), data: dataSchema })),
  })
  .meta({ id: 'Appointment' });

export type AppointmentForm = z.input<typeof appointmentSchema>;

/** A row of the table `appointments`. */
export interface AppointmentRow {
  readonly appointment_id: string;
  readonly order_id: string;
  readonly type: AppointmentType;
  readonly provider: Provider;
  readonly status: AppointmentStatus;
  readonly address: string;
  readonly location: string;
  readonly zone: string;
  readonly start_at: number | null;
  readonly end_at: number | null;
  readonly notes: string | null;
}

/** A row of the table `appointment_events`. */
export interface AppointmentEventRow {
  readonly created_at: number;
  readonly status: EventStatus;
  readonly data: string | null;
}

/** Returns whether an appointment can get another slot. */
export function canReschedule({ status, start_at }: AppointmentRow, now: number): boolean {
  return status === 'confirmed' && start_at! - now > RESCHEDULED_UNTIL_MS;
}

/** Returns an appointment in the form of the API. */
export function appointmentForm(
  row: AppointmentRow,
  { order, events, now }: { readonly order: OrderRow; readonly events: readonly AppointmentEventRow[]; readonly now: number },
): AppointmentForm {
  const told = events.map(({ created_at, status, data }) => ({
    created_at: instant(created_at),
    status,
    data: data === null ? null : (JSON.parse(data) as Record<string, unknown>),
  }));
  const { status: event_status, data: event_data } = told.at(-1)!;
  return {
    id: row.appointment_id,
    user_id: order.user_id,
    order_id: row.order_id,
    order_transaction_id: order.transaction_id,
    address: JSON.parse(row.address) as Address,
    location: JSON.parse(row.location) as Coordinates,
    start_at: row.start_at === null ? null : instant(row.start_at),
    end_at: row.end_at === null ? null : instant(row.end_at),
    iana_timezone: row.zone,
    type: row.type,
    provider: row.provider,
    status: row.status,
    provider_id: row.appointment_id.slice(0, 8),
    external_id: null,
    can_reschedule: canReschedule(row, now),
    appointment_notes: row.notes,
    event_status,
    event_data,
    events: told,
  };
}
