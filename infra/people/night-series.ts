import { minuteMs } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import { type Random, randomOf, stream } from './random.ts';
import { type SleepSession, sleepData, sleepSessions } from './sleep.ts';
import { summaryKind } from './summary.ts';

/** A value at an instant (ms). */
export interface Reading {
  readonly at: number;
  readonly value: number;
}

/** Distinguishes the series of a night in {@link randomOf}. */
const series = { hrv: 1, respiratoryRate: 2, bloodOxygen: 3 } as const;

/** Draws one value of a series, whose mean over the night is `mean`. */
type Draw = (random: Random, mean: number) => number;

/** A series that a device records at regular intervals while the person sleeps. */
interface NightSeries {
  readonly number: number;
  readonly minutes: number;
  /** returns the mean of the night, which the sleep summary may also contain */
  readonly mean: (summary: { average_hrv: number; respiratory_rate: number }) => number;
  readonly draw: Draw;
}

function readings(connection: ProviderConnection, night: SleepSession, { number, minutes, mean, draw }: NightSeries): Reading[] {
  const random = randomOf(connection.seed, stream.night, night.day, number);
  const average = mean(sleepData(connection, night) as { average_hrv: number; respiratory_rate: number });
  const step = minutes * minuteMs;
  const list: Reading[] = [];
  for (let at = Math.ceil(night.start / step) * step; at < night.stop; at += step) {
    const value = draw(random, average);
    if (!random.chance(0.03)) list.push({ at, value });
  }
  return list;
}

/** Returns the readings of the night that ends on a local day, or none if no instant in [from, until) belongs to the night. */
type OfNight = (connection: ProviderConnection, day: number, from?: number, until?: number) => Reading[];

function ofNight(of: NightSeries): OfNight {
  return (connection, day, from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY) =>
    sleepSessions(connection, day)
      .filter(({ kind, start, stop }) => kind === summaryKind.night && start < until && stop > from)
      .flatMap((night) => readings(connection, night, of));
}

/** Returns the heart rate variability (rmssd, ms) during the night that ends on a local day, every 5 minutes. */
export const heartRateVariability = ofNight({
  number: series.hrv,
  minutes: 5,
  mean: ({ average_hrv }) => average_hrv,
  draw: (random, mean) => Math.max(5, Math.round(mean * (1 + 0.2 * random.bell()))),
});

/** Returns the breaths per minute during the night that ends on a local day, every 15 minutes. */
export const respiratoryRate = ofNight({
  number: series.respiratoryRate,
  minutes: 15,
  mean: ({ respiratory_rate }) => respiratory_rate,
  draw: (random, mean) => Math.round((mean + 0.6 * random.bell()) * 10) / 10,
});

/** Returns the blood oxygen saturation (percent) during the night that ends on a local day, every 90 minutes. */
export const bloodOxygen = ofNight({
  number: series.bloodOxygen,
  minutes: 90,
  mean: () => 96.4,
  draw: (random, mean) => Math.min(100, Math.round(mean + 1.1 * random.bell())),
});
