import { minuteMs } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import { randomOf, stream } from './random.ts';

/** Returns the instants (ms, ascending) of a day's visits, from soon after waking until bedtime. */
export function syncTimes(connection: ProviderConnection, day: number): number[] {
  const { wake, bed } = dayRhythm(connection.person, day);
  const random = randomOf(connection.seed, stream.syncs, day);
  const count = Math.max(1, connection.provider.syncs + random.whole(-1, 1));
  const times = [wake + random.whole(4 * minuteMs, 35 * minuteMs)];
  const share = (bed - wake - 60 * minuteMs) / count;
  for (let i = 1; i < count; i++) times.push(Math.round(wake + 45 * minuteMs + share * (i + random.between(-0.45, 0.45))));
  return times.sort((a, b) => a - b);
}
