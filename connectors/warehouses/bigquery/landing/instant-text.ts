const DAY = 86_400_000_000;
const MINUTE = 60_000_000;

const two = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

const days = new Map<number, string>();

export function dateText(day: number): string {
  let written = days.get(day);
  if (written === undefined) {
    const date = new Date(day * 86_400_000);
    written = `${String(date.getUTCFullYear()).padStart(4, '0')}-${two[date.getUTCMonth() + 1]}-${two[date.getUTCDate()]}`;
    // Most samples fall on a few days. Clearing a full cache only means that some days are formatted again.
    if (days.size >= 20_000) days.clear();
    days.set(day, written);
  }
  return written;
}

let lastMinute = Number.NaN;
let lastPrefix = '';

/** Formats microseconds since 1970 for BigQuery: `2026-11-21T08:00:00.123456Z`. The fraction is left out if it is zero. */
export function instantText(micros: number): string {
  // Consecutive samples often lie in the same minute, so its text is cached.
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
