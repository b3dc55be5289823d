/** Creates the Intl.NumberFormat on first use, because its constructor takes 20 ms. */
function formatter(options: Intl.NumberFormatOptions): Pick<Intl.NumberFormat, 'format'> {
  let made: Intl.NumberFormat | undefined;
  return {
    format: (value) => {
      made ??= new Intl.NumberFormat('en-US', options);
      return made.format(value);
    },
  };
}

const grouped = formatter({});
const decimal = formatter({ maximumFractionDigits: 1 });

/** Formats 1234567 as `1,234,567`. */
export function count(value: number | bigint): string {
  return grouped.format(value);
}

/** Formats a count with its noun: `1 row`, `2 rows`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** Formats bytes in decimal units: `12.3 MB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let size = value;
  let unit = 0;
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? String(size) : decimal.format(size)} ${units[unit]}`;
}

/** Formats a duration: `850 ms`, `12.3 s`, `4 min 10 s`, `3 h 20 min`, `5 d 2 h`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${decimal.format(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`;
}

/** Formats microseconds since 1970 as RFC 3339 in UTC, with milliseconds. */
export function instant(microseconds: number): string {
  const date = new Date(microseconds / 1000);
  return Number.isNaN(date.getTime()) ? String(microseconds) : date.toISOString();
}
