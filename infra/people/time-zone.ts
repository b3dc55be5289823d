import { timeZones } from '@aorta/schemas';
import { dayMs } from './calendar.ts';

/**
 * The UTC offsets (seconds) of a zone on one UTC day, before and after the instant `change` (ms). On most days, the two
 * offsets are equal.
 */
interface ZoneDay {
  before: number;
  change: number;
  after: number;
}

/**
 * The UTC offsets of one IANA time zone. To find the offsets of a UTC day, this class calls Intl twice. If the clocks
 * change on that day, it calls Intl about 20 more times.
 */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new Map<number, ZoneDay>();

  constructor(name: string) {
    this.name = name;
    // Fix the locale, calendar and numbering system, so that the machine's settings do not affect the result.
    this.#format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', { timeZone: name, timeZoneName: 'longOffset' });
  }

  /** Returns the seconds east of UTC at an instant (ms). */
  offsetSeconds(instant: number): number {
    const number = Math.floor(instant / dayMs);
    let day = this.#days.get(number);
    if (day === undefined) {
      if (this.#days.size > 2000) this.#days.clear();
      day = this.#explore(number * dayMs);
      this.#days.set(number, day);
    }
    return instant < day.change ? day.before : day.after;
  }

  /** Returns the number of the local day that contains an instant (ms). */
  localDay(instant: number): number {
    return Math.floor((instant + this.offsetSeconds(instant) * 1000) / dayMs);
  }

  /** Returns the seconds since midnight that a local clock shows at an instant (ms). */
  wallSecond(instant: number): number {
    const wall = instant + this.offsetSeconds(instant) * 1000;
    return Math.floor((wall - Math.floor(wall / dayMs) * dayMs) / 1000);
  }

  /**
   * Returns the instant (ms) at which a local clock shows the given time of a day, in seconds after midnight. The time may
   * be negative, or later than the end of the day.
   */
  instantOf(day: number, wallSecond: number): number {
    const wall = day * dayMs + wallSecond * 1000;
    const guess = wall - this.offsetSeconds(wall) * 1000;
    const second = wall - this.offsetSeconds(guess) * 1000;
    // For a local time that the clocks skip in spring, the result is arbitrary, but the same on every machine.
    return second;
  }

  #explore(start: number): ZoneDay {
    const before = this.#ask(start);
    const after = this.#ask(start + dayMs - 1000);
    if (before === after) return { before, change: start + dayMs, after };
    let low = start;
    let high = start + dayMs - 1000;
    while (high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000;
      if (this.#ask(middle) === before) low = middle;
      else high = middle;
    }
    return { before, change: high, after };
  }

  #ask(instant: number): number {
    const text = this.#format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
    const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text);
    if (match === null) throw new RangeError('Intl returned a UTC offset in an unknown form');
    const seconds = Number(match[2] ?? 0) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0);
    return match[1] === '-' ? -seconds : seconds;
  }
}

const zones = new Map<string, TimeZone>();

/** Returns the shared {@link TimeZone} for a name. The offsets are computed only once for all people in that zone. */
export function timeZone(name: string): TimeZone {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = new TimeZone(name);
    zones.set(name, zone);
  }
  return zone;
}

let names: ReadonlySet<string> | undefined;

/** Returns whether a text is a name of the IANA database: of a zone, or an earlier or other name such as US/Pacific. Letter case matters. */
export function isTimeZone(name: string): boolean {
  names ??= new Set(timeZones().flatMap(({ zones: all }) => all));
  return names.has(name);
}
