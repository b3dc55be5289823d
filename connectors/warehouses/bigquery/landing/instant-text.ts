const DAY = 86_400_000_000;
const MINUTE = 60_000_000;

const two = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

const days = new Map<number, string>();

/** A date, from days since 1970, as YYYY-MM-DD. */
export function dateText(day: number): string {
  let written = days.get(day);
  if (written === undefined) {
    const date = new Date(day * 86_400_000);
    written = `${String(date.getUTCFullYear()).padStart(4, '0')}-${two[date.getUTCMonth() + 1]}-${two[date.getUTCDate()]}`;
    // Samples lie on few days; a file of all the days there ever were costs only their texts once more.
    if (days.size >= 20_000) days.clear();
    days.set(day, written);
  }
  return written;
}

let lastMinute = Number.NaN;
let lastPrefix = '';

/** An instant, from microseconds since 1970, as BigQuery reads it: `2026-11-21T08:00:00.123456Z`, its fraction only where there is one. */
export function instantText(micros: number): string {
  // Samples that follow each other lie within a minute, or a few: what is the same is not written twice.
  const minute = Math.floor(micros / MINUTE);
  if (minute !== lastMinute) {
    const day = Math.floor(micros / DAY);
    const inDay = minute - day * 1440;
    lastPrefix = `${dateText(day)}T${two[Math.floor(inDay / 60)]}:${two[inDay % 60]}:`;
    lastMinute = minute;
  }
  const rest = micros - minute * MINUTE;
  const second = Math.floor(rest / 1e6);
  const fraction = rest - second * 1e6;
  return fraction === 0 ? `${lastPrefix}${two[second]}Z` : `${lastPrefix}${two[second]}.${String(fraction).padStart(6, '0')}Z`;
}
