import { parseDate, parseInstant } from '@aorta/schemas';
import { isAhead } from '../sources/delivery.ts';

/** Maximum length, in characters, of a date-time with the name of its member, the quotes and some white space. */
const OVERLAP = 100;

/** Maximum length of a date-time, in characters. */
const LONGEST = 40;

const DASH = 45;
const QUOTE = 34;
const COLON = 58;
const SPACE = 32;
const ZERO = 48;

/** Milliseconds since 1970. */
const YEAR_1 = -62_135_596_800_000;

/** The time at which a plain event file claims to have been received, and the current time. */
export interface ReceiptClaim {
  /** Microseconds since 1970. */
  readonly receivedAt: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const DAY = 24 * 60 * 60 * 1e6;

/**
 * Whether a time of the data, in microseconds since 1970, is more than 24 hours later than the receipt. Some providers send
 * local times marked as UTC, and clocks differ.
 */
export function isLate(time: number, { receivedAt }: ReceiptClaim): boolean {
  return time > receivedAt + DAY;
}

/** Whether a time of the data is more than 24 hours later than now, so that no time of receipt can be right. */
export function isImpossible(time: number, { now }: ReceiptClaim): boolean {
  return time > now * 1000 + DAY;
}

/** Whether an `updated_at` is more than 5 minutes later than the receipt, although it is not in the future. */
export function isLateUpdate(time: number, { receivedAt, now }: ReceiptClaim): boolean {
  return isAhead(time, receivedAt / 1000) && !isAhead(time, now);
}

/** Returns the instant of a date or date-time in microseconds since 1970, or NaN. */
export function timeOf(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  return value.length === 10 ? (parseDate(value) ?? Number.NaN) * DAY : parseInstant(value);
}

/**
 * Scans a JSON text for a time that may be late. The scan reads only dates, so it is much cheaper than parsing.
 * {@link push} takes the bytes of the text in order.
 */
export class LateTimeScan {
  readonly #claim: ReceiptClaim;
  /** The day before the receipt, and the hour of the receipt, as numbers such as 20260131 and 2026013108. */
  readonly #firstDay: number;
  readonly #firstHour: number;
  #rest = '';
  #found = false;

  constructor(claim: ReceiptClaim) {
    this.#claim = claim;
    this.#firstDay = digits(claim.receivedAt - DAY, 10);
    this.#firstHour = digits(claim.receivedAt, 13);
  }

  get found(): boolean {
    return this.#found;
  }

  push(chunk: Buffer): void {
    if (this.#found) return;
    const text = chunk.toString('latin1');
    this.#found = this.#finds(this.#rest + text.slice(0, OVERLAP)) || this.#finds(text);
    this.#rest = (text.length < OVERLAP ? this.#rest + text : text).slice(-OVERLAP);
  }

  #finds(text: string): boolean {
    for (let dash = text.indexOf('-', 4); dash >= 0; ) {
      if (text.charCodeAt(dash + 3) !== DASH) dash = text.indexOf('-', dash + 1);
      else {
        const day = (number(text, dash - 4, 4) * 100 + number(text, dash + 1, 2)) * 100 + number(text, dash + 4, 2);
        if (day >= this.#firstDay && this.#isLateAt(text, dash - 4, day)) return true;
        dash = text.indexOf('-', dash + 6);
      }
    }
    return false;
  }

  #isLateAt(text: string, start: number, day: number): boolean {
    if (text.charCodeAt(start - 1) !== QUOTE) return false;
    const isUpdate = isValueOf(text, 'updated_at', start - 1);
    // An offset from UTC is less than a day, so an earlier local time cannot be late.
    if (!isUpdate && text.charCodeAt(start + 10) !== QUOTE && day * 100 + number(text, start + 11, 2) < this.#firstHour)
      return false;
    // If the chunk ends before the value does, the next call finds the value again.
    const end = text.indexOf('"', start);
    if (end < 0 || end > start + LONGEST) return false;
    const value = text.slice(start, end);
    const time = timeOf(value);
    // Some programs write the sign of the offset as an escape sequence.
    if (Number.isNaN(time)) return !Number.isNaN(parseInstant(value.slice(0, 19)));
    if (isUpdate && isLateUpdate(time, this.#claim)) return true;
    return isLate(time, this.#claim) && !isImpossible(time, this.#claim);
  }
}

/** Whether the value whose opening quote is at `quote` belongs to a member of this name. */
function isValueOf(text: string, name: string, quote: number): boolean {
  let at = quote - 1;
  while (text.charCodeAt(at) === SPACE) at -= 1;
  if (text.charCodeAt(at) !== COLON) return false;
  at -= 1;
  while (text.charCodeAt(at) === SPACE) at -= 1;
  return text.charCodeAt(at) === QUOTE && text.startsWith(`"${name}`, at - name.length - 1);
}

/** Parses `count` decimal digits. Returns a wrong number or NaN if there are other characters. */
function number(text: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index += 1) value = value * 10 + text.charCodeAt(index) - ZERO;
  return value;
}

/**
 * Returns the digits in the first `length` characters of a time as RFC 3339. A time before the year 1 becomes the start of
 * the year 1.
 */
function digits(micros: number, length: number): number {
  const date = new Date(Math.max(micros / 1000, YEAR_1));
  return Number(date.toISOString().slice(0, length).replaceAll(/\D/g, ''));
}
