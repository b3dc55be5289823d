/**
 * Encodes days since 1970 as the first day, a dot, and a base64 bit map with one bit per day from the first day on. A
 * backfilled batch may have thousands of days, and BigQuery limits the length of a table description.
 */
export function daysText(days: readonly number[]): string {
  if (days.length === 0) return '';
  const first = Math.min(...days);
  const bits = Buffer.alloc(Math.floor((Math.max(...days) - first) / 8) + 1);
  for (const day of days) bits[(day - first) >> 3]! |= 1 << ((day - first) & 7);
  return `${first}.${bits.toString('base64url')}`;
}

/** Decodes {@link daysText}. The days are in ascending order. */
export function daysOf(text: string): number[] {
  if (text === '') return [];
  const dot = text.indexOf('.');
  const first = Number(text.slice(0, dot));
  const bits = Buffer.from(text.slice(dot + 1), 'base64url');
  const days: number[] = [];
  for (let index = 0; index < bits.length * 8; index++) if ((bits[index >> 3]! >> (index & 7)) & 1) days.push(first + index);
  return days;
}
