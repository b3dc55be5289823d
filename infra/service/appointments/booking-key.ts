import { instant, instantSchema, timeOf } from '../api/times.ts';
import { isZone } from './places.ts';
import { siteOf } from './sites.ts';
import { isSlot, type Slot, slotOf } from './slots.ts';

/** Booking keys name a slot of a place, so the service need not remember which slots it has offered. */

export const appointmentTypes = ['phlebotomy', 'patient_service_center'] as const;
export type AppointmentType = (typeof appointmentTypes)[number];

/** A slot at a place. */
export interface Booking extends Slot {
  /** Code of a site, or the time zone of the patient's home. */
  readonly place: string;
  readonly zone: string;
}

const SEPARATOR = '|';

export function bookingKeyOf(type: AppointmentType, place: string, { start }: Slot): string {
  return [type, place, instant(start)].join(SEPARATOR);
}

/** Returns what a booking key names, or why it cannot be booked. */
export function bookingOf(key: string, type: AppointmentType, now: number): Booking | { readonly refused: string } {
  const [kind, place = '', start, ...rest] = key.split(SEPARATOR);
  const isKey = (appointmentTypes as readonly string[]).includes(kind!) && instantSchema.safeParse(start).success;
  if (!isKey || rest.length > 0) return { refused: 'booking_key is malformed: use a key as the availability has it' };
  if (kind !== type) return { refused: `booking_key is for an appointment of the type ${kind}, not ${type}` };
  const zone = type === 'phlebotomy' ? (isZone(place) ? place : undefined) : siteOf(place)?.zone;
  if (zone === undefined || !isSlot(zone, timeOf(start!)))
    return { refused: 'booking_key names no slot: use a key as the availability has it' };
  const slot = slotOf(timeOf(start!));
  return slot.start <= now
    ? { refused: 'booking_key names a slot in the past: ask for the availability again' }
    : { ...slot, place, zone };
}
