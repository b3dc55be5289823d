/** A day is a number of days since 1970-01-01. An instant is in milliseconds since 1970-01-01 UTC. */

export const dayMs = 86_400_000;
export const hourMs = 3_600_000;
export const minuteMs = 60_000;

const two = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
const dayTexts = new Map<number, string>();

/** Converts `YYYY-MM-DD` to a day number. Throws {@link RangeError} if the string is not a date. */
export function dayNumber(text: string): number {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(instant) || new Date(instant).toISOString().slice(0, 10) !== text)
    throw new RangeError('a day must be a date in the form YYYY-MM-DD');
  return instant / dayMs;
}

/** Formats a day number as a date. */
export function dayText(day: number): string {
  let text = dayTexts.get(day);
  if (text === undefined) {
    if (dayTexts.size > 4000) dayTexts.clear();
    text = new Date(day * dayMs).toISOString().slice(0, 10);
    dayTexts.set(day, text);
  }
  return text;
}

/** Returns the day of the week: Monday is 1, Sunday is 7. */
export function weekday(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** A format for instants. The service uses all of these formats. */
export type Spelling = 'offset' | 'z' | 'offset-millis' | 'z-millis' | 'offset-micros';

function secondText(instant: number): string {
  const day = Math.floor(instant / dayMs);
  const second = Math.floor((instant - day * dayMs) / 1000);
  const minute = Math.floor(second / 60);
  return `${dayText(day)}T${two[Math.floor(minute / 60)]}:${two[minute % 60]}:${two[second % 60]}`;
}

function fraction(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

/** Formats an instant (ms). A format without a fraction truncates the instant to seconds. */
export function instantText(instant: number, spelling: Spelling): string {
  const seconds = secondText(instant);
  switch (spelling) {
    case 'offset':
      return `${seconds}+00:00`;
    case 'z':
      return `${seconds}Z`;
    case 'offset-millis':
      return `${seconds}.${fraction(((instant % 1000) + 1000) % 1000, 3)}+00:00`;
    case 'z-millis':
      return `${seconds}.${fraction(((instant % 1000) + 1000) % 1000, 3)}Z`;
    case 'offset-micros':
      return `${seconds}.${fraction(((instant % 1000) + 1000) % 1000, 3)}000+00:00`;
  }
}

/** Formats microseconds since 1970 as an RFC 3339 time in UTC with six decimals, ending in `Z` or the given suffix. */
export function microText(micros: number, ending = 'Z'): string {
  const second = Math.floor(micros / 1_000_000);
  return `${secondText(second * 1000)}.${fraction(micros - second * 1_000_000, 6)}${ending}`;
}
