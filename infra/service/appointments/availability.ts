import { z } from 'zod';
import { dateSchema, instant, instantSchema } from '../api/times.ts';
import { addressOf, addressSchema, coordinatesSchema, type NewAddress, zoneSchema } from './appointment-forms.ts';
import { type AppointmentType, bookingKeyOf } from './booking-key.ts';
import { zoneOf } from './places.ts';
import type { FoundSite } from './sites.ts';
import { type Day, slotsFrom } from './slots.ts';

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

export const availabilitySchema = z
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
export function availabilityOfHome(address: NewAddress, now: number, startDate: string | null | undefined): Availability {
  const zone = zoneOf(address);
  const days = slotsFrom(zone, now, startDate);
  return { slots: days.map((day) => dayForm(day, 'phlebotomy', zone, null)), timezone: zone };
}

/** Returns when patients can come to sites. */
export function availabilityOfSites(
  found: readonly FoundSite[],
  now: number,
  startDate: string | null | undefined,
): Availability {
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
    ...{ start: instant(slot.start), end: instant(slot.end), expires_at: instant(slot.start) },
    ...OFFERED,
  }));
  return { location, date, slots: offered };
}
