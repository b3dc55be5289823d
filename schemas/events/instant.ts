/**
 * Parses the service's date-times as microseconds since 1970, and its dates as days since 1970.
 *
 * The service writes ISO 8601 in UTC, with or without fractional seconds. The offset is `+00:00`, `Z`, or missing (in
 * appointments and old exports). The parser reads characters by position. `Date.parse` is ten times slower and accepts
 * many more formats.
 */

const DAY_MS = 86_400_000;

/**
 * The range of longs that avsc writes and reads exactly. For a negative long n, avsc computes 2|n|-1 as a double, which
 * is exact only down to -2^52. A smaller number is read back as a different number, without an error (avsc 5.7.9;
 * covered by the codec's property test).
 */
export const LEAST_LONG = -(2 ** 52);
export const GREATEST_LONG = 2 ** 53 - 2;

function digits(text: string, at: number): number {
  const high = text.charCodeAt(at) - 48;
  const low = text.charCodeAt(at + 1) - 48;
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Number.NaN;
}

/** Returns the days from 1970-01-01 to a date of the proleptic Gregorian calendar, or NaN if the date is invalid. Years are 1 to 9999. */
function dayNumber(year: number, month: number, day: number): number {
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) return Number.NaN;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (day > 28 && day > (month === 2 ? (leap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31))
    return Number.NaN;
  // Howard Hinnant's days_from_civil counts years from March, so that the leap day is the last day of the year.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

// Cache the last date, because the samples of a batch are from the same day or from neighbouring days.
let lastDate = -1;
let lastDay = Number.NaN;

function dayAt(text: string): number {
  const year = digits(text, 0) * 100 + digits(text, 2);
  const month = digits(text, 5);
  const day = digits(text, 8);
  const date = (year * 100 + month) * 100 + day;
  if (date !== lastDate) {
    lastDay = dayNumber(year, month, day);
    lastDate = date;
  }
  return lastDay;
}

/** Converts a `YYYY-MM-DD` string to days since 1970-01-01. Returns undefined if the string is not a date. */
export function parseDate(text: string): number | undefined {
  if (text.length !== 10 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return undefined;
  const day = dayAt(text);
  return Number.isNaN(day) ? undefined : day;
}

/**
 * Converts an ISO 8601 date-time to microseconds since 1970. Returns NaN if the string is invalid or the time is outside
 * the codec's exact range (1827-04-16…2255-06-05). Digits beyond microseconds are dropped. A time without an offset is
 * UTC. A leap second counts as the first second of the next minute.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a scanner that makes one pass over every time that is read
export function parseInstant(text: string): number {
  const length = text.length;
  if (length < 19 || length > 40) return Number.NaN;
  const separator = text.charCodeAt(10);
  if (
    text.charCodeAt(4) !== 45 ||
    text.charCodeAt(7) !== 45 ||
    (separator !== 84 && separator !== 32 && separator !== 116) ||
    text.charCodeAt(13) !== 58 ||
    text.charCodeAt(16) !== 58
  ) {
    return Number.NaN;
  }
  const hour = digits(text, 11);
  const minute = digits(text, 14);
  const second = digits(text, 17);
  if (!(hour <= 23 && minute <= 59 && second <= 60)) return Number.NaN;

  let at = 19;
  let micros = 0;
  if (at < length && (text.charCodeAt(at) === 46 || text.charCodeAt(at) === 44)) {
    let scale = 100_000;
    const first = ++at;
    for (; at < length; at++) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) break;
      micros += digit * scale;
      scale = scale > 1 ? scale / 10 : 0;
    }
    if (at === first) return Number.NaN;
  }

  let offset = 0;
  if (at < length) {
    const sign = text.charCodeAt(at);
    if (sign === 90 || sign === 122) {
      at++;
    } else if (sign === 43 || sign === 45) {
      const colon = text.charCodeAt(at + 3) === 58 ? 1 : 0;
      const hours = digits(text, at + 1);
      const minutes = at + 3 === length ? 0 : digits(text, at + 3 + colon);
      if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
      offset = (hours * 60 + minutes) * (sign === 43 ? 60 : -60);
      at += at + 3 === length ? 3 : 5 + colon;
    }
    if (at !== length) return Number.NaN;
  }

  const seconds = dayAt(text) * 86_400 + hour * 3600 + minute * 60 + second - offset;
  const instant = seconds * 1_000_000 + micros;
  return instant >= LEAST_LONG && instant <= GREATEST_LONG ? instant : Number.NaN;
}

/** True if the string is a valid date-time in the years 0 to 9999, but outside the range of {@link parseInstant}. */
export function isBeyondRange(text: string): boolean {
  if (!/^\d{4}-/.test(text) || !Number.isNaN(parseInstant(text))) return false;
  const year = Number(text.slice(0, 4));
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  // Try the same time in a year inside the range: a leap year if the original year is one.
  return !Number.isNaN(parseInstant(`${leap ? 2000 : 2001}${text.slice(4)}`));
}

/** Converts an instant in microseconds to days since 1970. */
export function dayOfInstant(micros: number): number {
  return Math.floor(micros / (DAY_MS * 1000));
}
