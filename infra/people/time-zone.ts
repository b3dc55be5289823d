import { dayMs } from './calendar.ts';

/** One UTC day of a zone: the offset until `change` and the one after it (equal on most days). */
interface ZoneDay {
  before: number;
  change: number;
  after: number;
}

/** The offsets of one IANA zone. Intl is asked twice per UTC day, and some twenty times more where a change of the clock falls into it. */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new Map<number, ZoneDay>();

  constructor(name: string) {
    this.name = name;
    // A fixed locale, calendar and numbering: the machine's own must not show.
    this.#format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', { timeZone: name, timeZoneName: 'longOffset' });
  }

  /** Seconds east of UTC at an instant (ms). */
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

  /** The local day (number) that holds an instant. */
  localDay(instant: number): number {
    return Math.floor((instant + this.offsetSeconds(instant) * 1000) / dayMs);
  }

  /** Seconds since local midnight by the wall clock. */
  wallSecond(instant: number): number {
    const wall = instant + this.offsetSeconds(instant) * 1000;
    return Math.floor((wall - Math.floor(wall / dayMs) * dayMs) / 1000);
  }

  /** The instant (ms) at which the wall clock of a local day shows the given second; seconds may go below 0 or beyond the day. */
  instantOf(day: number, wallSecond: number): number {
    const wall = day * dayMs + wallSecond * 1000;
    const guess = wall - this.offsetSeconds(wall) * 1000;
    const second = wall - this.offsetSeconds(guess) * 1000;
    // A wall time inside a spring gap does not exist; the second guess is then as good as any and the same everywhere.
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
    if (match === null) throw new RangeError('Intl gave an offset in an unknown form');
    const seconds = Number(match[2] ?? 0) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0);
    return match[1] === '-' ? -seconds : seconds;
  }
}

const zones = new Map<string, TimeZone>();

/** The shared zone of a name: its offsets are found once for all people who live there. */
export function timeZone(name: string): TimeZone {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = new TimeZone(name);
    zones.set(name, zone);
  }
  return zone;
}
