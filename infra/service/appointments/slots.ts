import { dateText, instant, instantSchema, LAST_INSTANT, timeOf } from '../api/times.ts';
import { isZone, siteOf } from './sites.ts';

/** The times at which appointments can begin: each full hour of a working day, in the time zone of the place. */

/** Milliseconds since 1970. */
export interface Slot {
  readonly start: number;
  readonly end: number;
}

export interface Day {
  /** Local date. */
  readonly date: string;
  readonly slots: readonly Slot[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Local hour at which the first slot begins, and at which the last one ends. */
const OPENS = 8;
const CLOSES = 17;
/** Days of one answer about availability. */
const DAYS = 7;

interface Local {
  readonly date: string;
  readonly hour: number;
  /** Whether it is a full hour. */
  readonly isFull: boolean;
  readonly isWeekday: boolean;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns what the clocks of a zone show. */
function localOf(zone: string, time: number): Local {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, format);
  }
  const [date, clock] = format.format(time).split(' ') as [string, string];
  return {
    date,
    hour: Number(clock.slice(0, 2)),
    isFull: clock.endsWith(':00:00') && time % 1000 === 0,
    isWeekday: isWeekday(date),
  };
}

const isWeekday = (date: string): boolean => ![0, 6].includes(new Date(date).getUTCDay());

/** Returns whether an appointment can begin at a time. */
function isSlot(zone: string, start: number): boolean {
  const { hour, isFull, isWeekday: isOpen } = localOf(zone, start);
  return isOpen && isFull && hour >= OPENS && hour < CLOSES && start + HOUR_MS <= LAST_INSTANT;
}

/** Returns the slot that begins at a time. */
export const slotOf = (start: number): Slot => ({ start, end: start + HOUR_MS });

/** Returns the hour before a time. */
export const slotUntil = (end: number): Slot => ({ start: end - HOUR_MS, end });

/** Returns the slots of a local date. Zones of the United States change their clocks at night, so each slot is an hour. */
function slotsOn(zone: string, date: string): Slot[] {
  const midnight = Date.parse(date);
  // The clocks are behind UTC, by whole hours.
  const hours = Array.from({ length: 24 + CLOSES }, (_, hour) => midnight + hour * HOUR_MS);
  return hours.filter((start) => isSlot(zone, start) && localOf(zone, start).date === date).map(slotOf);
}

/** Returns the working days from a local date on, with their slots. No day is before tomorrow. */
export function slotsFrom(zone: string, now: number, startDate?: string | null): Day[] {
  const tomorrow = Date.parse(localOf(zone, now).date) + DAY_MS;
  const first = typeof startDate === 'string' ? Math.max(Date.parse(startDate), tomorrow) : tomorrow;
  return Array.from({ length: DAYS }, (_, number) => first + number * DAY_MS)
    .filter((day) => day <= LAST_INSTANT)
    .map((day) => dateText(day))
    .filter(isWeekday)
    .map((date) => ({ date, slots: slotsOn(zone, date) }))
    .filter(({ slots }) => slots.length > 0);
}

/** Returns the first slot that ends at a time or later, and that is not before tomorrow. */
export function firstSlotFrom(zone: string, now: number, time: number): Slot | undefined {
  return slotsFrom(zone, now, localOf(zone, time).date)
    .flatMap(({ slots }) => slots)
    .find(({ end }) => end >= time);
}

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
