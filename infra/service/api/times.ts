import { isTimeZone, timeZone } from '@aorta/people';
import { z } from 'zod';

const DAY_MS = 86_400_000;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Caches the last formatted day. Formatting a date is slow, and most instants are on the same day as the one before. */
let written = { number: 0, text: '1970-01-01' };
/** Caches the last parsed date, and its midnight in milliseconds since 1970. */
let read = { text: '1970-01-01', begin: 0 };

/** Writes the UTC date of an instant, such as 2026-01-31. Throws {@link RangeError} if there is no such instant. */
export function dateText(time: number): string {
  const number = Math.floor(time / DAY_MS);
  if (number !== written.number) {
    const iso = new Date(time).toISOString();
    written = { number, text: iso.slice(0, iso.indexOf('T')) };
  }
  return written.text;
}

/** Writes an instant as the service does: in UTC, with `+00:00`. Throws {@link RangeError} if there is no such instant. */
export function instant(time: number): string {
  const whole = Math.trunc(time);
  const date = dateText(whole);
  const ms = whole - written.number * DAY_MS;
  const seconds = Math.floor(ms / 1000);
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const clock = `${twoDigits[hour]}:${twoDigits[minute]}:${twoDigits[seconds % 60]}`;
  return `${date}T${clock}.${String(ms % 1000).padStart(3, '0')}+00:00`;
}

/** `2026-01-31T12:00:00` in UTC, with or without milliseconds and further digits. Other forms take longer to read. */
const UTC = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3}\d*)?(?:Z|\+00:00)$/;

/** Reads an instant, in milliseconds since 1970. Throws {@link RangeError} if the text is none. */
export function timeOf(text: string): number {
  const time = UTC.test(text) ? utcTime(text) : Date.parse(text);
  if (Number.isNaN(time)) throw new RangeError('this is not an instant');
  return time;
}

/** Reads a text that matches {@link UTC}. The result is NaN if there is no such date. */
function utcTime(text: string): number {
  if (!text.startsWith(read.text)) {
    const date = text.slice(0, 10);
    read = { text: date, begin: Date.parse(date) };
  }
  const seconds = digits(text, 11) * 3600 + digits(text, 14) * 60 + digits(text, 17);
  const milliseconds = text[19] === '.' ? digits(text, 20) * 10 + (text.charCodeAt(22) - ZERO) : 0;
  return read.begin + seconds * 1000 + milliseconds;
}

const ZERO = 48;
/** Reads two digits. */
const digits = (text: string, at: number): number => (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;

/** The first instant of the year 1. Common date libraries have no year 0. */
export const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
/** The last instant whose year has four digits. The virtual clock ends there. */
export const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant with an offset, which {@link instant} can write: in UTC, its year has four digits. */
export const instantSchema = z.iso
  .datetime({ offset: true })
  .refine(isBetween(FIRST_INSTANT, LAST_INSTANT), 'not an instant of the years 1 to 9999 in UTC');

/** Returns a check of whether a text is an instant between two others. It lets texts of another form pass. */
export function isBetween(first: number, last: number): (text: string) => boolean {
  return (text) => {
    const time = Date.parse(text);
    return Number.isNaN(time) || (time >= first && time <= last);
  };
}

/** A date, such as 2026-01-31. */
export const dateSchema = z.iso.date().refine((date) => date >= '0001', 'not a date of the years 1 to 9999');

/** The birth date of a person who may be alive. {@link lastDate} bounds it, too. */
export const birthDateSchema = z.iso.date().refine((date) => date >= '1900', 'not the birth date of a living person');

export const NOT_BORN = 'the birth date is in the future';

/** The largest offset of local time from UTC. */
const AHEAD_MS = 14 * 3_600_000;

/** Returns the latest date on Earth, such as 2026-01-31. No birth date is later. */
export const lastDate = (now: number): string => dateText(Math.min(now + AHEAD_MS, LAST_INSTANT));

/** A name in the IANA time zone database. The service stores it unchanged. */
export const timeZoneSchema = z.string().refine(isTimeZone, 'not a time zone of the IANA database');

/**
 * Returns the age in years on a date. Both dates are YYYY-MM-DD. A person born on 29 February turns a year older on 1 March
 * if the year has no 29 February.
 */
export function ageOn(date: string, birthDate: string): number {
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return date.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

/** Returns how many seconds a time zone is east of UTC at an instant (ms). `zone` is an identifier of the IANA database. */
export function offsetOf(zone: string, instant: number): number {
  return timeZone(zone).offsetSeconds(instant);
}
